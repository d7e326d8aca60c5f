"""Tests of contracts."""
