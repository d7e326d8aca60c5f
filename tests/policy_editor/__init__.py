"""Tests of the policy as its owner edits it."""
