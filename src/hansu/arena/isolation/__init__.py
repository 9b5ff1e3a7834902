"""Agents nobody vouches for, each in a process that can do nothing but think.

``player`` is what the arena uses; ``process`` starts, stops and kills; ``sandbox`` is the view of
the disk; ``child`` runs inside and confines itself (``confine``, ``syscalls``, ``audit``) before
it loads a line of the agent. ``docs/design/isolation.md`` says what is enforced by what.
"""
