-- The open run of materialize is the lock of a graph (graphs M-2), so that a build has no lease of its own to outlive it.
ALTER TABLE graph_generation DROP COLUMN builder_until;
