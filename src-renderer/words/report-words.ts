import type { ReportKind } from '../../src-shared/report.ts'

export const REPORT_KIND_WORDS: Readonly<Record<ReportKind, string>> = {
  pdf: 'PDF',
  json: 'Data',
  html: 'Page',
  text: 'Text',
  image: 'Image',
  link: 'Link',
}

export const REPORT_WORDS = {
  title: 'Reports',
  inbox: 'Reports that have come',
  check: 'Check now',
  checked: 'The station is asking the service for every report that is missing.',
  awaiting: (count: number) =>
    count === 0 ? 'No report is awaited' : `${count} ${count === 1 ? 'report' : 'reports'} awaited`,
  unread: 'new',
  versions: (count: number) => `${count} versions`,
  version: 'Version',
  versionOf: (number: number, when: string) => `Version ${number}, ${when}`,
  latest: 'latest',
  noPatient: 'Patient not known',
  caseId: (id: string) => `Case ${id}`,
  fetched: (when: string) => `came ${when}`,
  save: 'Save as file',
  openCase: 'Open case',
  images: 'Images of this case',
  noImages: 'The images of this case are not on this station.',
  notReady: {
    title: 'No report yet',
    body: (minutes: string) =>
      `This is normal. Reports are checked every ${minutes} and appear here by themselves.`,
  },
  empty: {
    title: 'No report yet',
    body: (minutes: string) =>
      `Reports of sent cases are checked every ${minutes} and appear here by themselves.`,
  },
  choose: { title: 'Choose a report', body: 'The list at the left holds every report that has come.' },
  minutes: (count: number) => (count === 1 ? 'minute' : `${count} minutes`),
  seconds: (count: number) => `${count} seconds`,
  page: (number: number, count: number) => `Page ${number} of ${count}`,
  pdfLoading: 'Opening the PDF',
  pdfBroken: {
    title: 'This PDF cannot be shown',
    body: 'The file came as it is kept here, but it cannot be drawn. Save it and open it with another program, or ask the service for it again.',
  },
  unavailable: {
    title: 'This report cannot be read just now',
    body: 'It is kept on the station. Try again in a moment.',
  },
  html: 'Report page',
  link: {
    explain:
      'The service answered with an address instead of a report. It is not opened from here; copy it into a browser if you trust it.',
    copy: 'Copy the address',
  },
  nothing: 'empty',
  yes: 'yes',
  no: 'no',
} as const
