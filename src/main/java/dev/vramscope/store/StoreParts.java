package dev.vramscope.store;

import dev.vramscope.store.files.DataFolder;

/** The store of a data folder, assembled as Spring does in the service. */
record StoreParts(
    SnapshotStore store, StoreState state, StoreStatus status, StoreMaintenance maintenance) {
  static StoreParts of(DataFolder folder, Database database, OriginalReader reader) {
    StoreState state = new StoreState();
    SnapshotIndex index = new SnapshotIndex(folder, database);
    Originals originals = new Originals(folder, index, state);
    SnapshotStore store = new SnapshotStore(folder, originals, index, state, reader);
    StoreMaintenance maintenance =
        new StoreMaintenance(
            new Reconciliation(folder, originals, index, store, state, database),
            store,
            originals,
            index,
            state,
            database,
            folder);
    return new StoreParts(store, state, new StoreStatus(folder, database, state), maintenance);
  }
}
