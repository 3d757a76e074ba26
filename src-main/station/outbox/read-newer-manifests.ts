/** Reads which manifests know more than the outbox does, and what is left of damaged ones. */
import { randomBytes } from 'node:crypto'
import { isReference, referenceOf } from '../../../src-shared/reference.ts'
import { knowsMore, type Manifest } from './manifest.ts'
import { manifestIds, readManifest, setAsideManifest } from './manifest-files.ts'
import type { Outbox } from './outbox.ts'
import { salvageManifest } from './salvage-manifest.ts'

export type ReadManifests = {
  readonly manifests: readonly Manifest[]
  /** The ids of damaged ones. They are in their places: see `setDamagedAside`. */
  readonly damaged: readonly string[]
  /** Files that the disk does not give, and folders of which it does not even give the names. */
  readonly unreadable: number
}

type DamagedManifest = { readonly id: string; readonly text: string }

/**
 * The manifests that know more than the outbox does. Where one is damaged and the outbox does not know its submission,
 * what can be read in it stands for it. Nothing is changed.
 */
export async function readNewerManifests(outbox: Outbox, folder: string, at: number): Promise<ReadManifests> {
  const manifests: Manifest[] = []
  const damaged: DamagedManifest[] = []
  let unreadable = 0
  for await (const listed of manifestIds(folder)) {
    if (listed.kind === 'unreadable') {
      unreadable += 1
      continue
    }
    for (const id of listed.ids) {
      const found = await readManifest(folder, id)
      const row = outbox.manifests.progressOf(id)
      if (found.kind === 'unreadable') unreadable += 1
      else if (found.kind === 'damaged') damaged.push({ id, text: found.text })
      else if (found.kind === 'read' && (!row || knowsMore(found.manifest, row)))
        manifests.push(found.manifest)
    }
  }
  const salvaged = salvageAll(outbox, manifests, damaged, at)
  return { manifests: [...manifests, ...salvaged], damaged: damaged.map(({ id }) => id), unreadable }
}

/** One that was copied under another id bears a reference that stands for another submission: it gets its own. */
function salvageAll(
  outbox: Outbox,
  sound: readonly Manifest[],
  damaged: readonly DamagedManifest[],
  at: number,
): Manifest[] {
  const used = new Set(sound.map(({ submission }) => submission.reference))
  const isFree = (reference: string): boolean =>
    !used.has(reference) && outbox.submissions.byReference(reference, { baseUrl: '', clientId: '' }) === null
  return damaged.flatMap(({ id, text }) => {
    if (outbox.manifests.isKnown(id)) return []
    const fallback = { id, reference: referenceOf(randomBytes(8)), at }
    const manifest = salvageManifest(text, fallback, (read) => isReference(read) && isFree(read))
    if (manifest === null) return []
    used.add(manifest.submission.reference)
    return [manifest]
  })
}

/**
 * Sets damaged manifests aside, for after what they tell was committed: a kill before that would lose it. One that
 * cannot be set aside now is found again.
 */
export async function setDamagedAside(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await setAsideManifest(folder, id, 'damaged').catch(() => undefined)
}
