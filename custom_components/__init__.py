"""Where Home Assistant finds the integration."""
