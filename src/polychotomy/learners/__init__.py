"""The learners of YA06 that scikit-learn lacks."""
