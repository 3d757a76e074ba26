/** Brings a submission up to date with what its files, its sidecar and a person say, and decides where it goes. */
import type { Reason, Submission } from '../../../src-shared/submission.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ImageRow, SubmissionRow } from '../outbox/submission-rows.ts'
import type { StoredIdentity } from '../outbox/submission-store.ts'
import type { Clock } from '../ports.ts'
import { composeContent } from './compose-content.ts'
import { mayGoUnseen, reasonsOf, type JudgedImage } from './completeness.ts'
import { eyesOf } from './eyes-of.ts'
import { isDivision, readName } from './name-reading.ts'
import type { EyeFinding, Sidecar } from './recognition.ts'

export type GatherContext = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly settings: () => Settings
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** The folder of the visit that a file lies in: folders that only divide it by eye or kind (`OD`, `FOP`) are left out. */
export function visitFolderOf(relativePath: string): string {
  let folder = parentOf(relativePath)
  while (folder !== '' && isDivision(readName(folder.slice(folder.lastIndexOf('/') + 1))))
    folder = parentOf(folder)
  return folder
}

type FoundSidecar = { readonly sidecar: Sidecar | null; readonly trouble: string | null }

/** A sidecar as a submission keeps it: what was read of it, or why nothing was. */
export function sidecarText(row: {
  readonly content: string | null
  readonly trouble: string | null
}): string {
  return JSON.stringify({
    sidecar: row.content === null ? null : (JSON.parse(row.content) as Sidecar),
    trouble: row.trouble,
  })
}

export function readSidecarText(text: string): FoundSidecar {
  return JSON.parse(text) as FoundSidecar
}

/** Does a sidecar name one of these images among its eyes? */
export function names(sidecar: Sidecar | null, images: readonly string[]): boolean {
  return Object.keys(sidecar?.eyes ?? {}).some((name) => images.includes(name))
}

function wordsOf(finding: Extract<EyeFinding, { kind: 'conflict' }>): string[] {
  return finding.statements.map(({ value, source }) => `${source}: ${value === 'right' ? 'OD' : 'OS'}`)
}

/** What the names and the sidecar say about the eyes; a person's word stays. */
function setEyes(context: GatherContext, images: readonly ImageRow[], sidecar: Sidecar | null): void {
  const findings = eyesOf(
    images.map((image) => image.file_name),
    sidecar?.eyes ?? {},
  )
  for (const image of images) {
    if (image.eye_source === 'person') continue
    const finding = findings.get(image.file_name) ?? { kind: 'unknown' }
    const isStated = finding.kind === 'stated'
    context.outbox.setEye(image.id, {
      eye: isStated ? finding.eye : 'unknown',
      source: isStated ? finding.source : null,
      statements: finding.kind === 'conflict' ? wordsOf(finding) : null,
    })
  }
}

function judged(image: ImageRow): JudgedImage {
  return {
    id: image.id,
    eye: image.eye,
    isExcluded: image.excluded_because !== null,
    statements: image.eye_statements === null ? null : (JSON.parse(image.eye_statements) as string[]),
  }
}

export type Gathered = {
  readonly reasons: readonly Reason[]
  readonly sources: Submission['sources']
  readonly identity: StoredIdentity
}

/** Writes fields, eyes and reasons as all sources together say them now. */
export function gather(context: GatherContext, row: SubmissionRow): Gathered {
  const { outbox, clock } = context
  return outbox.write(() => {
    const kept = outbox.rowOf(row.id)?.sidecar ?? null
    const { sidecar, trouble } = kept === null ? { sidecar: null, trouble: null } : readSidecarText(kept)
    setEyes(context, outbox.imageRowsOf(row.id), sidecar)
    const identity = JSON.parse(outbox.rowOf(row.id)?.identity ?? row.identity) as StoredIdentity
    const stored = outbox.submissionOf(row.id)
    const content = composeContent({
      fields: stored?.fields ?? {},
      sources: stored?.sources ?? {},
      identity,
      sidecar,
    })
    const settings = context.settings()
    const addendumTo = row.addendum_to === null ? null : (outbox.rowOf(row.addendum_to)?.reference ?? null)
    const reasons = reasonsOf({
      ...content,
      images: outbox.imageRowsOf(row.id).map(judged),
      identity,
      sidecar,
      sidecarTrouble: trouble,
      addendumToReference: addendumTo,
      twins: outbox.twinsOf(row.id),
      requiredFields: settings.requiredFields,
      requireBothEyes: settings.requireBothEyes,
    })
    outbox.setContent(row.id, { ...content, reasons }, clock.now())
    return { reasons, sources: content.sources, identity }
  })
}

/** Gathers, and moves the submission to where it belongs: to a person, or to the line. */
export function gatherAndMove(context: GatherContext, row: SubmissionRow): void {
  const { outbox, clock } = context
  outbox.write(() => {
    const gathered = gather(context, row)
    const folder = context.settings().folders.find((one) => one.path === row.folder_path)
    const goesUnseen = folder?.sendWithoutReview === true && mayGoUnseen(gathered)
    const event =
      gathered.reasons.length > 0 ? 'gatheredIncomplete' : goesUnseen ? 'gatheredToSend' : 'gatheredForReview'
    const kinds = gathered.reasons.map((reason) => reason.kind)
    outbox.moveSubmission(
      row.id,
      event,
      { quietUntil: null, notBefore: null, failure: null },
      { at: clock.now(), details: { reasons: kinds } },
    )
  })
}
