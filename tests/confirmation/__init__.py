"""Tests of the questions to humans."""
