// @kith/sdk/export: everything of an identity as files, complete or gone on with, and the check of such a folder.
export { ownSource } from './export/client.ts'
export { type KeyFiles, keyFiles, openKeys, sealKeys } from './export/keys.ts'
export { type Checked, checkExport, type Totals } from './export/manifest.ts'
export { type Exported, type ExportOptions, exportTo, keysName } from './export/run.ts'
export { KithExportError, type Refused, type Source } from './export/source.ts'
