"""A real Home Assistant to try EdgeHome in: shared by the end-to-end tests, the demo and the benchmark."""
