"""What can be seen of finished clusters: places, colours, confidence, selections; no Streamlit."""
