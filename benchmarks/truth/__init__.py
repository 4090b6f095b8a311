"""The truth lab: which rule for choosing a learner costs least on cases nobody has seen?

Large data sets are taken as populations. Small training sets are drawn from them, every selection
rule is run on the small set, and the learner it picks, refitted on the whole small set, is measured
on the thousands of cases left out.

Run ``python -m benchmarks.truth --help`` from the root of the repository.
"""
