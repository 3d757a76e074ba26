import type { Profile } from '../../../src-shared/profile.ts'
import { openSource } from '../open-source.ts'
import { readDicomFacts } from './dicom/read-dicom-facts.ts'
import { readAtOfHandle } from './read-at.ts'
import type { ContentFacts } from './recognition.ts'

/** What a DICOM file at `path` states. Throws the errors of the disk. */
export async function readFactsOf(path: string, nameOrder: Profile['nameOrder']): Promise<ContentFacts> {
  const handle = await openSource(path)
  try {
    return await readDicomFacts(readAtOfHandle(handle), (await handle.stat()).size, { nameOrder })
  } finally {
    await handle.close()
  }
}
