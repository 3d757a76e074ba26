/** `npm run check` runs it: prints what is wrong with package-lock.json (lockfile.ts) and ends with 1 if anything is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLockfileFaults, type Lockfile } from './lockfile.ts'
import { projectFolder } from './step.ts'

const path = process.argv[2] ?? join(projectFolder, 'package-lock.json')
const lockfile: Lockfile = JSON.parse(readFileSync(path, 'utf8'))
const faults = findLockfileFaults(lockfile)
for (const fault of faults) console.log(fault)
if (faults.length > 0)
  console.log(
    'Take a version of which the registry has the packages of all systems, and run `npm install --package-lock-only`.',
  )
process.exitCode = faults.length === 0 ? 0 : 1
