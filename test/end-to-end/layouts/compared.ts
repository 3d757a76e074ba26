/** Brings what is shown and what is expected into one form, in which they can be compared as sets. */
import { expect } from 'vitest'
import type { Submission } from '../../../src-shared/submission.ts'
import type { ExpectedCase, ExpectedImage, ExpectedSubmission } from './expected-case.ts'
import type { Shown } from './stage.ts'

/** What the station shows of a row; notes that may be there or not are left out. */
export function comparedShown(shown: Shown, expected: ExpectedCase): unknown {
  return {
    submissions: inOrder(shown.submissions.map(shownSubmission)),
    notes: shown.notes
      .filter(({ fileName }) => expected.notedOrNot?.includes(fileName) !== true)
      .map(({ fileName, kind }) => ({ fileName, kind }))
      .toSorted(byFileName),
  }
}

/** What a row says, with matchers where it leaves something open. */
export function comparedExpected(expected: ExpectedCase): unknown {
  return {
    submissions: inOrder(expected.submissions.map(expectedSubmission)),
    notes: (expected.notes ?? [])
      .map(({ fileName, kinds }) => ({
        fileName,
        kind: kinds.length === 1 ? kinds[0] : expect.stringMatching(new RegExp(`^(${kinds.join('|')})$`)),
      }))
      .toSorted(byFileName),
  }
}

function shownSubmission(submission: Submission) {
  const { fields, sources, reasons } = submission
  const nameOf = new Map(submission.images.map(({ id, fileName }) => [id, fileName]))
  return {
    images: submission.images
      .filter(({ twinOf }) => twinOf === null)
      .map(({ fileName, eye, contentType, sentAs }): ExpectedImage => ({
        fileName,
        eye,
        contentType,
        sentAs: sentAs?.contentType ?? null,
      }))
      .toSorted(byFileName),
    twins: submission.images
      .flatMap(({ fileName, twinOf }) => (twinOf === null ? [] : [{ fileName, of: nameOf.get(twinOf) }]))
      .toSorted(byFileName),
    historyNumber: fields.history_number ?? null,
    visitDate: fields.visit_date ?? null,
    dateComes: sources.visit_date === 'fileTime' ? 'from the time of a file' : 'from a statement',
    state: submission.state,
    reasonKinds: [...new Set(reasons.map(({ kind }) => kind))].toSorted(),
    reasonTexts: reasons.map(({ message }) => message).join(' '),
    oddityKinds: submission.oddities.map(({ kind }) => kind),
    fields,
  }
}

function expectedSubmission(submission: ExpectedSubmission) {
  const { visitDate, reasonsShow, oddityKinds = [], fields = {} } = submission
  return {
    images: submission.images.toSorted(byFileName),
    twins: (submission.twins ?? []).toSorted(byFileName),
    historyNumber: submission.historyNumber,
    visitDate: typeof visitDate === 'string' ? visitDate : visitDate.ofFileTime,
    dateComes: typeof visitDate === 'string' ? 'from a statement' : 'from the time of a file',
    state: submission.state,
    reasonKinds: (submission.reasonKinds ?? []).toSorted(),
    reasonTexts: reasonsShow ? expect.stringMatching(reasonsShow) : expect.any(String),
    oddityKinds: expect.arrayContaining([...oddityKinds]),
    fields: expect.objectContaining(fields),
  }
}

type Named = { readonly fileName: string }

function byFileName(one: Named, other: Named): number {
  return one.fileName < other.fileName ? -1 : one.fileName > other.fileName ? 1 : 0
}

function inOrder<One extends { readonly images: readonly Named[] }>(submissions: readonly One[]): One[] {
  const nameOf = ({ images }: One): Named => ({ fileName: images.map(({ fileName }) => fileName).join('\n') })
  return submissions.toSorted((one, other) => byFileName(nameOf(one), nameOf(other)))
}
