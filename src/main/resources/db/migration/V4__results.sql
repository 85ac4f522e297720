-- The version of the rules by which peak_bytes and finding_count were computed; null: those of an
-- older release. The service computes them again from the original files.
alter table snapshots add column if not exists results_version integer;
