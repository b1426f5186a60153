"""Pictures as text: SVG charts with their colours, samples of a fitted model to draw, and what a notebook shows of it."""
