"""Tests of the adjudicator."""
