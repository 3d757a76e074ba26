/** What one submission looks like on the wire: every field under its exact name, every image as `images[]`. */
import { EYE_CODES, type Eye } from '../../../src-shared/eye.ts'
import { FIELD_NAMES, type Fields } from '../../../src-shared/fields.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { Image } from '../../../src-shared/submission.ts'

export type FormField = { readonly name: string; readonly value: string }
export type FormFile = {
  readonly imageId: string
  /** The name at the service: reference, eye and number, no patient data. */
  readonly fileName: string
  readonly path: string
  readonly contentType: Image['contentType']
  readonly sizeBytes: number
  readonly sha256: string
}
export type CaseForm = { readonly fields: readonly FormField[]; readonly files: readonly FormFile[] }

const EXTENSIONS: Readonly<Record<Image['contentType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/bmp': 'bmp',
  'application/dicom': 'dcm',
}

/** The reference on a last line of its own, the original text first. */
function withReference(text: string | undefined, reference: string): string {
  return text === undefined || text === '' ? reference : `${text}\n${reference}`
}

const REMARKS_FIELD = 'other_relevant_info'

export type FormImage = {
  readonly id: string
  readonly eye: Eye
  readonly path: string
  readonly contentType: Image['contentType']
  readonly sizeBytes: number
  readonly sha256: string
}

/** The form of a submission. A field that was not stated has no part: an empty text or a zero would be a statement. */
export function caseForm(options: {
  readonly reference: string
  readonly fields: Fields
  /** Lines for the reader, behind what the clinic wrote in `REMARKS_FIELD`. */
  readonly remarks?: readonly string[]
  readonly images: readonly FormImage[]
  readonly service: Pick<ServiceSettings, 'callbackUrl' | 'referenceField'>
}): CaseForm {
  const { reference, service } = options
  const fields: FormField[] = []
  for (const name of FIELD_NAMES) {
    const written = options.fields[name]
    const stated =
      name === REMARKS_FIELD
        ? [written, ...(options.remarks ?? [])].filter((line) => line !== undefined).join('\n')
        : written
    const value =
      name === service.referenceField ? withReference(stated?.toString(), reference) : stated?.toString()
    if (value !== undefined && value !== '') fields.push({ name, value })
  }
  if (service.callbackUrl !== null) fields.push({ name: 'callback_url', value: service.callbackUrl })
  const numbers: Record<Eye, number> = { right: 0, left: 0, unknown: 0 }
  const files = options.images.map((image): FormFile => {
    numbers[image.eye] += 1
    return {
      imageId: image.id,
      fileName: `${reference}_${EYE_CODES[image.eye]}_${numbers[image.eye]}.${EXTENSIONS[image.contentType]}`,
      path: image.path,
      contentType: image.contentType,
      sizeBytes: image.sizeBytes,
      sha256: image.sha256,
    }
  })
  return { fields, files }
}
