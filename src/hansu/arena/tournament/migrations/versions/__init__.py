"""The steps from each revision of the schema to the next; a step that was released stays."""
