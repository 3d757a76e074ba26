/** The images of a case as they are checked: their eyes, with what persons chose, and what is odd about them. */
import { EYE_CODES, type StatedEye } from '../../../src-shared/measurement-ranges.ts'
import type { Warning } from '../../../src-shared/submission.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { factsColumn, odditiesColumn } from '../json-columns.ts'
import type { ImageRow } from '../outbox/rows.ts'
import type { CheckedSubmission } from './completeness.ts'
import { comparePhotographs } from './images/twins.ts'
import { valueIn, type Verdict } from './proof/verdict.ts'
import type { VisitContext } from './visits/pictures.ts'

type EyeVerdict = Verdict<StatedEye>

/** The images with the eyes that names, data files and the images themselves state; a person's choice stays. */
export function withEyes(
  images: readonly ImageRow[],
  verdicts: ReadonlyMap<string, EyeVerdict>,
): readonly ImageRow[] {
  return images.map((image) => {
    if (image.eye_source === 'person') return image
    const verdict = verdicts.get(image.twin_of ?? image.id)
    const value = verdict ? valueIn(verdict) : null
    const by = verdict && 'by' in verdict ? verdict.by : []
    const [eye, source] =
      value === null ? (['unknown', null] as const) : ([value, by[0]?.source ?? null] as const)
    const statements =
      verdict?.kind === 'disputed'
        ? JSON.stringify(verdict.statements.map((one) => `${one.source}: ${EYE_CODES[one.value]}`))
        : null
    const isAsBefore = image.eye === eye && image.eye_source === source && image.eye_statements === statements
    return isAsBefore
      ? image
      : { ...image, eye, eye_source: source, eye_statements: statements, eye_settled: null }
  })
}

function isDicom({ content_type }: ImageRow): boolean {
  return content_type === 'application/dicom'
}

/** Files of one name that show two photographs, in whatever cases: a person looks whose they are. */
export function unlikeFellows({ outbox }: VisitContext, images: readonly ImageRow[]): readonly Warning[] {
  return images.flatMap((image) => {
    const { folder_path: folderPath, stem_key: stemKey, twin_of } = image
    if (folderPath === null || twin_of !== null || image.grey === null) return []
    const fellow = outbox
      .imagesOfStem(folderPath, stemKey)
      .find(
        (other) =>
          isDicom(other) !== isDicom(image) && comparePhotographs(image.grey, other.grey) === 'different',
      )
    if (fellow === undefined) return []
    const files = { first: image.file_name, second: fellow.file_name }
    return [{ kind: 'checkProposal', imageId: image.id, ...worded('intake:warning.unlikeFellow', files) }]
  })
}

export function checkedImage(
  image: ImageRow,
  all: readonly ImageRow[],
  verdicts: ReadonlyMap<string, EyeVerdict>,
): CheckedSubmission['images'][number] {
  const verdict = verdicts.get(image.id)
  return {
    id: image.id,
    eye: image.eye,
    isExcluded: image.excluded_because !== null,
    eyeProblem: eyeTroubleOf(image, all),
    statements: verdict?.kind === 'disputed' ? verdict.statements : null,
    oddities: odditiesColumn.read(image.oddities),
  }
}

/** A twin of the image states its eye as well. */
function eyeTroubleOf(image: ImageRow, all: readonly ImageRow[]): Message | null {
  if (image.eye_source === 'person') return null
  for (const { facts } of [image, ...all.filter((other) => other.twin_of === image.id)]) {
    const { rejected } = facts === null ? { rejected: [] } : factsColumn.read(facts)
    const trouble = rejected.find(({ field }) => field === 'eye')
    if (trouble) return { message: trouble.message, ...(trouble.wording && { wording: trouble.wording }) }
  }
  return null
}
