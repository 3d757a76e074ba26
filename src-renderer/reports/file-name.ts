import type { ReportKind, ReportVersion } from '../../src-shared/report.ts'

const ENDINGS: Readonly<Record<ReportKind, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  image: 'jpg',
  link: 'txt',
  unknown: 'bin',
}

const IMAGE_ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tif',
}

/** A name that a person finds again and that says nothing of the patient: `report-88390_2.pdf`. */
export function reportFileName(
  caseId: string,
  number: number,
  { kind, contentType }: Pick<ReportVersion, 'kind' | 'contentType'>,
): string {
  const [type = ''] = contentType.toLowerCase().split(';')
  const ending = (kind === 'image' && IMAGE_ENDINGS[type.trim()]) || ENDINGS[kind]
  // The id is the service's own and may hold what no file name can.
  return `report-${caseId.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')}_${number}.${ending}`
}
