"""Tests; the folders mirror the integration's."""
