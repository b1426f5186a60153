"""Why a point is where it is, and what a cluster is: representatives and weights, noise, margins, bases, features."""
