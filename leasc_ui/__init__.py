"""All that knows Streamlit: state, forms, pictures and the frame around every page."""
