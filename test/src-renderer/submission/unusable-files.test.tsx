/** A file that cannot be used is named in the row and on the page, and a person decides there. */
import { describe, expect, it, vi } from 'vitest'
import type { Alarm } from '../../../src-shared/alarms.ts'
import type { SubmissionDetails, UnusableFile } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import { privacy } from '../../../src-renderer/privacy/names.tsx'
import { alarmPanel } from '../../../src-renderer/shell/navigation.tsx'
import { all, type Answers, click, find, openWindow, shows, type } from '../open-window.tsx'
import {
  detailsOf,
  countsOf,
  syntheticImage,
  syntheticStatus,
  syntheticSubmission,
} from '../synthetic-submission.ts'

const FILE: UnusableFile = {
  id: 'file-1',
  fileName: 'visit/Mocksey_2.jpg',
  eye: 'left',
  why: 'empty',
  ...worded('intake:watch.overdue.empty'),
  decision: null,
  because: null,
  replacedBy: null,
}
const REASON = {
  kind: 'unusableImage',
  ...worded('intake:reason.unusableImage', { eye: 'left eye', file: 'Mocksey_2.jpg' }),
} as const

function caseWith(file: Partial<UnusableFile>, rest: Partial<SubmissionDetails> = {}): SubmissionDetails {
  const submission = syntheticSubmission('case-1', {
    state: 'incomplete',
    fields: { history_number: 'H-00412' },
    images: [syntheticImage('right-1')],
    reasons: [REASON],
    unusableFiles: [{ ...FILE, ...file }],
  })
  return { ...detailsOf(submission), ...rest }
}

function open(shown: SubmissionDetails, hash = '#/queue/case-1') {
  const answers: Answers = {
    'submissions.get': detailsOf(shown),
    'submissions.list': { items: [shown], total: 1, counts: countsOf({ incomplete: 1 }) },
    'submissions.decideFile': () => ({ ...shown, unusableFiles: [] }),
  }
  return openWindow(hash, answers)
}

const entry = (): Promise<HTMLElement> => find('list', 'Unreadable images')

describe('a file that cannot be used', () => {
  it('is named in the row of its case', async () => {
    open(caseWith({}), '#/queue')
    await shows(/This image cannot be read \(left eye\): Mocksey_2\.jpg/)
    await shows(/Unreadable: Mocksey_2\.jpg/)
  })

  it('is named on the page with its eye and what is wrong, and the case waits', async () => {
    open(caseWith({}))
    const files = await entry()
    for (const text of [/Left eye – OS/, 'Mocksey_2.jpg', /stayed empty/, /Waiting for a new export/])
      await shows(text, files)
  })

  it('has the focus after a click on the sentence about it', async () => {
    open(caseWith({}))
    await click('button', /This image cannot be read \(left eye\)/, await find('region', 'Check'))
    await vi.waitFor(() => expect(document.activeElement?.closest('li')?.id).toBe('unusable-file-1'))
  })

  it('is left out with a reason', async () => {
    const { inputsOf } = open(caseWith({}))
    await click('button', 'Exclude Mocksey_2.jpg', await entry())
    await type('textbox', 'Reason', 'Blink')
    await click('button', 'Exclude')
    await vi.waitFor(() =>
      expect(inputsOf('submissions.decideFile')).toMatchObject([
        { id: 'case-1', fileId: 'file-1', decision: 'exclude', why: 'Blink' },
      ]),
    )
    await vi.waitFor(() => expect(all('list', 'Unreadable images')).toEqual([]))
  })

  it('is gone without, and the remark says why', async () => {
    const { inputsOf } = open(caseWith({}))
    await click('button', 'Send without it', await entry())
    await vi.waitFor(() =>
      expect(inputsOf('submissions.decideFile')).toMatchObject([
        { decision: 'sendAsItIs', why: 'The image from the camera cannot be read.' },
      ]),
    )
  })

  it.each([
    ['exclude', 'Excluded: Blink'],
    ['sendAsItIs', 'Without this image.'],
  ] as const)('may be waited for again after the decision %s', async (decision, text) => {
    const { inputsOf } = open(caseWith({ decision, because: 'Blink' }, { reasons: [], state: 'review' }))
    const files = await entry()
    await shows(text, files)
    await click('button', 'Wait for new export', files)
    await vi.waitFor(() => expect(inputsOf('submissions.decideFile')).toMatchObject([{ decision: 'wait' }]))
  })

  it('of a case that was sent is shown, and not decided on', async () => {
    open(caseWith({}, { state: 'sent', sentAt: 1, reasons: [] }))
    const files = await entry()
    await shows('Without this image.', files)
    expect(all('button', undefined, files)).toEqual([])
  })

  it('is shown no more once its new export is here', async () => {
    open(caseWith({ decision: 'replaced', replacedBy: 'right-1' }, { reasons: [], state: 'review' }))
    await find('heading', 'Images')
    expect(all('list', 'Unreadable images')).toEqual([])
  })

  it('keeps the name of the patient hidden', async () => {
    privacy.setState({ isHiddenByHand: true })
    open(caseWith({}))
    const files = await entry()
    expect(document.body.textContent).not.toContain('Mocksey')
    expect(files.innerHTML).not.toContain('Mocksey')
    privacy.setState({ isHiddenByHand: false })
  })
})

it('an alarm about a file of a sent case says its name, unless names are hidden', async () => {
  const values = { reference: 'FC00000000A', eye: 'left eye', file: 'Mocksey_2.jpg' }
  const alarm: Alarm = {
    id: 'alarm-1',
    kind: 'damagedFellow',
    submissionId: 'case-1',
    reference: 'FC00000000A',
    caseIds: [],
    ...worded('intake:damagedFellow', values),
    raisedAt: 1,
  }
  const shown = caseWith({}, { state: 'sent', sentAt: 1 })
  openWindow('#/queue', {
    'station.status': syntheticStatus({ alarms: [alarm] }),
    'submissions.list': { items: [shown], total: 1, counts: countsOf({ sent: 1 }) },
  })
  alarmPanel.setState({ isShown: true })
  const dialog = await find('dialog', 'Alarms')
  await shows('FC00000000A was sent without an image that cannot be read (left eye): Mocksey_2.jpg', dialog)
  privacy.setState({ isHiddenByHand: true })
  await vi.waitFor(() => expect(dialog.textContent).not.toContain('Mocksey'))
  privacy.setState({ isHiddenByHand: false })
  alarmPanel.setState({ isShown: false })
})

describe('an image that came under its name', () => {
  it.each([
    ['Yes, same image', 'isNewExport'],
    ['No, split it off', 'isNotNewExport'],
  ])('is asked about: %s', async (answer, decision) => {
    const { inputsOf } = open(caseWith({ replacedBy: 'right-1' }))
    const files = await entry()
    await shows('Is this the new export of Mocksey_2.jpg?', files)
    await click('button', answer, files)
    await vi.waitFor(() => expect(inputsOf('submissions.decideFile')).toMatchObject([{ decision }]))
  })
})
