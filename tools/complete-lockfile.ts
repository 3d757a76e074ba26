/** Adds to package-lock.json what the registry could not show (lockfile.ts). Run it by hand after each `npm install`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLockfile, findMissing, type Lockfile } from './lockfile.ts'
import { projectFolder } from './step.ts'

const path = process.argv[2] ?? join(projectFolder, 'package-lock.json')
const lockfile: Lockfile = JSON.parse(readFileSync(path, 'utf8'))
const missing = findMissing(lockfile)
if (missing.length > 0) writeFileSync(path, `${JSON.stringify(completeLockfile(lockfile), null, 2)}\n`)
console.log(`${missing.length} packages added`)
