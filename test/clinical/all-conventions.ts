/** Every convention of the generator, in a fixed order: a visit's number leads to the same convention in every run. */
import type { Convention } from './convention.ts'
import { plainPeople } from './conventions/plain-people.ts'
import { plainTables } from './conventions/plain-tables.ts'
import { plainHeaders } from './conventions/plain-headers.ts'
import { plainDocuments } from './conventions/plain-documents.ts'
import { attackedTables } from './conventions/attacked-tables.ts'
import { attackedPeople } from './conventions/attacked-people.ts'
import { attackedHeaders } from './conventions/attacked-headers.ts'
import { attackedDocuments } from './conventions/attacked-documents.ts'
import { cameras } from './conventions/cameras.ts'
import { contradictions } from './conventions/contradictions.ts'
import { daysAndOrder } from './conventions/days-and-order.ts'
import { devices } from './conventions/devices.ts'
import { dicom } from './conventions/dicom.ts'
import { eyeTerms } from './conventions/eye-terms.ts'
import { identity } from './conventions/identity.ts'
import { inboxes } from './conventions/inbox.ts'
import { lateAndBad } from './conventions/late-and-bad.ts'
import { numbers } from './conventions/numbers.ts'
import { peopleNames } from './conventions/people-names.ts'
import { plainNames } from './conventions/plain-names.ts'
import { publicSets } from './conventions/public-sets.ts'
import { records } from './conventions/records.ts'

/** Proof under attack, and proof that plainly holds; half of their visits are of the day on which they arrive. */
export const proofConventions: readonly Convention[] = [
  ...plainDocuments,
  ...plainTables,
  ...plainHeaders,
  ...plainPeople,
  ...attackedDocuments,
  ...attackedTables,
  ...attackedHeaders,
  ...attackedPeople,
]

export const allConventions: readonly Convention[] = [
  ...plainNames,
  ...eyeTerms,
  ...numbers,
  ...peopleNames,
  ...dicom,
  ...records,
  ...contradictions,
  ...identity,
  ...inboxes,
  ...daysAndOrder,
  ...lateAndBad,
  ...cameras,
  ...devices,
  ...publicSets,
  ...proofConventions,
]
