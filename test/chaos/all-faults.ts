import type { FaultClass } from './fault-class.ts'
import { atTheService } from './faults/at-the-service.ts'
import { files } from './faults/files.ts'
import { kills } from './faults/kills.ts'
import { machine } from './faults/machine.ts'
import { onTheWay } from './faults/on-the-way.ts'
import { storage } from './faults/storage.ts'

/** Every class of faults, in the order of the table. */
export const allFaults: readonly FaultClass[] = [
  ...kills,
  ...onTheWay,
  ...atTheService,
  ...files,
  ...storage,
  ...machine,
]
