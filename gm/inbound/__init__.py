"""One mail: taken in, proved, read, acted on, and answered."""
