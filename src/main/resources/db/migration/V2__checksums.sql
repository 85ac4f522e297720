-- A migration that was interrupted is repeated: changes of tables are not part of a transaction.

-- Original files are files of the data folder; the table only holds those of an older release that
-- have not been moved yet.

-- CRC-32C of the row and its labels; null in a row written by an older release.
alter table snapshots add column if not exists checksum bigint;

-- CRC-32C of the key and the data; null in a row written by an older release.
alter table column_blobs add column if not exists checksum bigint;
