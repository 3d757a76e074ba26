import type { StoredCase } from './cases.ts'

const NORMAL = 'no sign of retinopathy, disc and macula without findings'
const MILD = 'few microaneurysms temporal of the macula'

export type ReportText = {
  readonly title: string
  readonly caseId: string
  readonly historyNumber: string
  readonly visitDate: string
  readonly version: number
  readonly imageCount: number
  readonly findings: readonly { readonly eye: 'OD' | 'OS'; readonly finding: string }[]
  readonly recommendation: string
  /** All of it as plain lines. */
  readonly lines: readonly string[]
}

/** The words of a report: made up, the same for the same case and version, and saying so. */
export function reportTextOf(stored: StoredCase): ReportText {
  const caseId = String(stored.id)
  const turn = (caseId.codePointAt(caseId.length - 1) ?? 0) % 3
  const findings = [
    { eye: 'OD', finding: turn === 1 ? MILD : NORMAL },
    { eye: 'OS', finding: turn === 2 ? MILD : NORMAL },
  ] as const
  const facts = {
    title: 'Practice report',
    caseId,
    historyNumber: stored.fields['history_number'] ?? '-',
    visitDate: stored.fields['visit_date'] ?? '-',
    version: stored.reportVersion,
    imageCount: stored.images.length,
    findings,
    recommendation: turn === 0 ? 'Next check in 12 months.' : 'Next check in 6 months.',
  }
  const lines = [
    `${facts.title}, version ${String(facts.version)}`,
    `Case ${facts.caseId}, history number ${facts.historyNumber}, visit ${facts.visitDate}, ${String(facts.imageCount)} images`,
    ...findings.map(({ eye, finding }) => `${eye}: ${finding}`),
    facts.recommendation,
    'Synthetic. Made by a practice service; not a medical finding.',
  ]
  return { ...facts, lines }
}
