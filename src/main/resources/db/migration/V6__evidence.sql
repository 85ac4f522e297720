-- Texts that a user attached to a snapshot. The description beside the original file has them, too.
create table if not exists evidence (
  snapshot_id varchar(64) not null references snapshots (id) on delete cascade,
  number      integer not null,
  device      integer not null,
  -- The index of the GPU in the text, if the user chose it.
  gpu         integer,
  added       timestamp with time zone not null,
  text        varchar not null,
  -- CRC-32C of the other columns.
  checksum    bigint not null,
  primary key (snapshot_id, number)
);
