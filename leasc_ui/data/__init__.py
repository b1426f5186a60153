"""From a choice of data to rows ready for the pipeline, and a first look at them; no Streamlit."""
