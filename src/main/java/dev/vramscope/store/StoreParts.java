package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;

/** The store of a data folder, assembled as Spring does in the service. */
record StoreParts(
    SnapshotStore store,
    SnapshotRepair repair,
    StoreState state,
    StoreStatus status,
    StoreMaintenance maintenance) {
  static StoreParts of(DataFolder folder, Database database, OriginalReader reader) {
    StoreState state = new StoreState();
    SnapshotIndex index = new SnapshotIndex(folder, database);
    Originals originals = new Originals(folder, index, state);
    SnapshotLocks locks = new SnapshotLocks();
    SnapshotRepair repair = new SnapshotRepair(originals, index, state, reader, locks);
    SnapshotStore store = new SnapshotStore(folder, originals, index, state, locks, repair);
    StoreMaintenance maintenance =
        new StoreMaintenance(
            new Reconciliation(folder, originals, index, repair, state, database),
            repair,
            originals,
            index,
            state,
            database,
            folder);
    return new StoreParts(
        store, repair, state, new StoreStatus(folder, database, state), maintenance);
  }
}
