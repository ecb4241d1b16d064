"""Speed as ratios against a rival in the same run; never part of the tests."""
