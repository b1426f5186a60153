"""What speaks for a number of clusters without labels: description length, eigengap, separation, agreement between draws."""
