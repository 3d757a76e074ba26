/** The desk against what may happen around it: other controls, dialogs, lists and answers that come late. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { privacy } from '../../../src-renderer/privacy/names.tsx'
import { dropDraftField, setDraftField } from '../../../src-renderer/submission/drafts.ts'
import type { StationSession } from '../../../src-renderer/store/store.ts'
import { addFiles } from '../../../src-renderer/submission/add-images.tsx'
import { offerOf } from '../../../src-renderer/desk/shown-case.tsx'
import type { BulkResult } from '../../../src-shared/contract.ts'
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { all, find, openWindow, press, shows, type } from '../open-window.tsx'
import { countsOf, detailsOf, failing, syntheticImage } from '../synthetic-submission.ts'
import { caseOf, isPainted, link, passes, pressCtrlZ, showFor, startClock, withCases } from './open-desk.tsx'

beforeEach(startClock)

const current = (): string | null | undefined =>
  document.querySelector('tr[aria-current="true"]')?.textContent

const clickAt = (element: Element): boolean =>
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))

/** Whatever the last act asked for was called by now. */
async function settled(): Promise<void> {
  for (let frame = 0; frame < 4; frame += 1) await new Promise((next) => requestAnimationFrame(next))
}

describe('Enter', () => {
  it('in what lies over the desk is not the desk\u2019s', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1')]))
    await link('H-1')
    await showFor('H-1', 2_000)
    document.querySelector<HTMLElement>('[data-image="H-1-os"] [data-exclude]')?.click()
    await shows('The reason is kept with the case')
    press('Enter', document.querySelector('[role="dialog"]') ?? document.body)
    await settled()
    expect(inputsOf('submissions.approve')).toEqual([])
  })

  it('counts what a dialog has covered from when it is seen again', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1')]))
    await link('H-1')
    await showFor('H-1', 2_000)
    const dialog = document.body.appendChild(document.createElement('div'))
    dialog.setAttribute('aria-modal', 'true')
    await vi.waitFor(() => expect(isPainted()).toBe(false))
    dialog.remove()
    await vi.waitFor(() => expect(isPainted()).toBe(true))
    passes(699)
    press('Enter', await link('H-1'))
    expect(inputsOf('submissions.approve')).toEqual([])
    passes(1)
    press('Enter', await link('H-1'))
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toHaveLength(1))
  })

  it('of a scanner searches, also on the button that approves', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1')]))
    await link('H-1')
    await showFor('H-1', 2_000)
    const approve = await find('button', /^Approve/)
    press('7', approve)
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    approve.dispatchEvent(enter)
    // So the button is not pressed.
    expect(enter.defaultPrevented).toBe(true)
    await vi.waitFor(() => expect(inputsOf('submissions.list').at(-1)).toMatchObject({ search: '7' }))
    expect(inputsOf('submissions.approve')).toEqual([])
  })

  it('waits for pictures that come back, as for new ones', async () => {
    openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2'), caseOf('H-3')]))
    await link('H-1')
    await showFor('H-1', 2_000)
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode')
    decode.mockReturnValue(new Promise(() => undefined))
    for (const id of ['H-2', 'H-1']) {
      ;(await link(id)).click()
      await vi.waitFor(() => expect(document.querySelector('[data-shown] h2')?.textContent).toContain(id))
    }
    await find('button', 'Swap eyes')
    await settled()
    expect(isPainted()).toBe(false)
    decode.mockResolvedValue()
    await showFor('H-1', 0)
  })
})

describe('a click', () => {
  it('that was meant for the case before sends nothing again', async () => {
    const refused = caseOf('H-1', { state: 'refused', failure: failing('serviceRefused') })
    const { inputsOf } = openWindow(
      '#/queue',
      withCases([refused], { 'submissions.retry': { changed: ['H-1'], refused: [] } }),
    )
    await link('H-1')
    await showFor('H-1', 2_000)
    const send = await find('button', 'Send again')
    clickAt(send)
    await settled()
    expect(inputsOf('submissions.retry')).toEqual([])
    send.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
    clickAt(send)
    await vi.waitFor(() => expect(inputsOf('submissions.retry')).toMatchObject([{ ids: ['H-1'] }]))
  })

  it('swaps no eyes of a case that has just come', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1')]))
    await link('H-1')
    await showFor('H-1', 2_000)
    clickAt(await find('button', 'Swap eyes'))
    await settled()
    expect(inputsOf('submissions.update')).toEqual([])
  })
})

describe('a case that is passed over', () => {
  it.each([
    ['the arrow', async () => press('ArrowDown', await link('H-1'))],
    ['its button', async () => (await find('button', /^Skip/)).click()],
  ] as const)('by %s is marked', async (_by, pass) => {
    openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2')]))
    await link('H-1')
    await showFor('H-1', 0)
    await pass()
    await vi.waitFor(() => expect(current()).toContain('H-2'))
    const marked = await find('img', 'Skipped')
    expect(marked.closest('tr')?.textContent).toContain('H-1')
    expect(all('img', 'Skipped')).toHaveLength(1)
  })
})

describe('an answer that comes late', () => {
  const lateApproval = () => {
    const { promise, resolve } = Promise.withResolvers<BulkResult>()
    const { inputsOf } = openWindow(
      '#/queue',
      withCases([caseOf('H-1'), caseOf('H-2')], { 'submissions.approve': () => promise }),
    )
    return { resolve, inputsOf }
  }

  it('takes no focus from a field', async () => {
    const { resolve } = lateApproval()
    await link('H-1')
    await showFor('H-1', 700)
    press('Enter', await link('H-1'))
    const search = await find('searchbox')
    search.focus()
    resolve({ changed: ['H-1'], refused: [] })
    await vi.waitFor(() => expect(current()).toContain('H-2'))
    expect(document.activeElement).toBe(search)
  })

  it('names the case if a person has gone on, and leaves them there', async () => {
    const { resolve } = lateApproval()
    await link('H-1')
    await showFor('H-1', 700)
    press('Enter', await link('H-1'))
    ;(await link('H-2')).focus()
    resolve({ changed: [], refused: [{ id: 'H-1', failure: failureOf('needsLook') }] })
    await shows(`H-1. ${failureOf('needsLook').message}`)
    expect(current()).toContain('H-2')
  })
})

it('names what has changed also if an approval was refused for it', async () => {
  let now = caseOf('H-1')
  const { emit } = openWindow('#/queue', {
    ...withCases([now]),
    'submissions.get': () => detailsOf(now),
    'submissions.approve': { changed: [], refused: [{ id: 'H-1', failure: failureOf('changed') }] },
  })
  await link('H-1')
  await showFor('H-1', 700)
  press('Enter', await link('H-1'))
  await shows('so nothing was done')
  now = { ...now, fields: { history_number: 'H-9' }, digest: 'other', changedAt: 2_000 }
  emit('submissionChanged', now)
  await shows('Check it again.Number')
  ;(await find('button', 'Continue')).click()
  await vi.waitFor(() => expect(document.body.textContent).not.toContain('so nothing was done'))
  await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('H-9'))
})

it('reads a picture again that failed', async () => {
  const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1')]))
  await link('H-1')
  await vi.waitFor(() => expect(document.querySelectorAll('[data-image] img')).toHaveLength(2))
  document.querySelector('[data-image="H-1-os"] img')?.dispatchEvent(new Event('error'))
  ;(await find('button', 'Try again')).click()
  await showFor('H-1', 700)
  press('Enter', await link('H-1'))
  await vi.waitFor(() => expect(inputsOf('submissions.approve')).toHaveLength(1))
})

it('shows a case from its pictures on, wherever the one before was scrolled to', async () => {
  openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2')]))
  await link('H-1')
  await showFor('H-1', 0)
  const section = document.querySelector('[data-shown]')
  if (section) section.scrollTop = 300
  ;(await link('H-2')).click()
  await vi.waitFor(() => expect(section?.scrollTop).toBe(0))
})

it('selects the first case of another list, and none if it is empty', async () => {
  const cases = [caseOf('H-1'), caseOf('H-2')]
  openWindow('#/queue', {
    ...withCases(cases),
    'submissions.list': ({ search = '' }) => {
      const items = cases.filter(({ id }) => id.includes(search))
      return { items, total: items.length, counts: countsOf() }
    },
  })
  await link('H-1')
  await vi.waitFor(() => expect(current()).toContain('H-1'))
  await type('searchbox', /(?:)/, 'H-2')
  await vi.waitFor(() => expect(current()).toContain('H-2'))
  expect(all('link', /^Open H-1/)).toEqual([])
  await type('searchbox', /(?:)/, 'H-3')
  await vi.waitFor(() => expect(document.querySelector('[data-shown] h2')).toBeNull())
  // The row that had the focus is gone.
  await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector('[data-shown]')))
})

it('stays in view while all cases are read again, and not while it has changed itself', async () => {
  let next = Promise.resolve(detailsOf(caseOf('H-1')))
  const { inputsOf, emit } = openWindow('#/queue', {
    ...withCases([caseOf('H-1')]),
    'submissions.get': () => next,
  })
  await link('H-1')
  await showFor('H-1', 0)
  next = new Promise(() => undefined)
  emit('submissionsChanged', { ids: ['H-9'] })
  await vi.waitFor(() => expect(inputsOf('submissions.get').length).toBeGreaterThan(1), { timeout: 10_000 })
  await settled()
  expect(isPainted()).toBe(true)
  emit('submissionChanged', caseOf('H-1', { changedAt: 2_000 }))
  await vi.waitFor(() => expect(isPainted()).toBe(false))
})

it('takes back one approval by Ctrl+Z, however long it is held', async () => {
  const approved = { state: 'waiting', undoUntil: Date.now() + 8_000 } as const
  const { inputsOf } = openWindow(
    '#/queue',
    withCases([caseOf('H-1', approved), caseOf('H-2', approved)], {
      'submissions.undoApproval': ({ ids }) => ({ changed: [...ids], refused: [] }),
    }),
  )
  await link('H-2')
  pressCtrlZ()
  pressCtrlZ(true)
  await settled()
  expect(inputsOf('submissions.undoApproval')).toHaveLength(1)
})

it('renders no row again by what happens beside the list', async () => {
  openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2'), caseOf('H-3')]))
  await link('H-1')
  await showFor('H-1', 0)
  // Each row states when its case was added.
  const formats = vi.spyOn(Intl.DateTimeFormat.prototype as { readonly format: unknown }, 'format', 'get')
  document.querySelector('[data-shown]')?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
  press('7', await link('H-1'))
  await settled()
  expect(formats).not.toHaveBeenCalled()
  formats.mockRestore()
})

it('states why an eye has no image without the name while names are hidden', async () => {
  const images = [syntheticImage('H-1-od', 'right')]
  const fields = { history_number: 'H-1', last_name: 'Sampleton' }
  openWindow(
    '#/queue',
    withCases([caseOf('H-1', { images, fields, noImageBecause: { left: 'Sampleton has a prosthesis' } })]),
  )
  await shows('Sampleton has a prosthesis')
  privacy.setState({ isHiddenByHand: true })
  onTestFinished(() => privacy.setState({ isHiddenByHand: false }))
  await shows('has a prosthesis')
  await vi.waitFor(() =>
    expect(document.querySelector('[data-shown]')?.textContent).not.toContain('Sampleton'),
  )
})

it('says that typed values keep a case from being approved', async () => {
  openWindow('#/queue', withCases([caseOf('H-1')]))
  await find('button', /^Skip/)
  setDraftField('H-1', 'age', 'sixty', undefined)
  onTestFinished(() => dropDraftField('H-1', 'age'))
  await shows('not saved yet')
  expect(all('button', /^Approve/)).toEqual([])
})

it('says that files on their way, or not decided on, keep a case from being approved', async () => {
  const session = {
    link: { uploadFile: () => Promise.resolve(fail(failureOf('notFound'))) },
    store: { getState: () => ({ status: { host: 'headless' } }) },
  }
  openWindow('#/queue', withCases([caseOf('H-9')]))
  await find('button', /^Skip/)
  addFiles(session as unknown as StationSession, 'H-9', [new File([], 'refused.jpg')])
  await shows('Wait for all images, or decide on those not added.')
  expect(all('button', /^Approve/)).toEqual([])
})

describe('a number that nearly is another patient\u2019s of the day', () => {
  const near = () => {
    const one = caseOf('501288', { fields: { history_number: '501288', last_name: 'Testwood' } })
    const neighbour = { history_number: '501828', last_name: 'Demoson' }
    return openWindow('#/queue', withCases([one], { 'submissions.get': { ...detailsOf(one), neighbour } }))
  }

  it('is shown beside that, marked, and Enter waits for the answer', async () => {
    const { inputsOf } = near()
    await link('501288')
    await showFor('501288', 5_000)
    const question = await find('alert', /nearly the same number/)
    expect([...question.querySelectorAll('div')].map(({ textContent }) => textContent)).toContain(
      '501828 Demoson',
    )
    expect([...question.querySelectorAll('mark')].map(({ textContent }) => textContent).join('')).toBe('2882')
    press('Enter', await link('501288'))
    await settled()
    expect(inputsOf('submissions.approve')).toEqual([])
    const right = await find('button', 'Number is right')
    await vi.waitFor(() => expect(right.matches(':disabled')).toBe(false))
    // The pointer may rest here since the case before.
    clickAt(right)
    await settled()
    expect(all('button', 'Number is right')).toHaveLength(1)
    right.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
    clickAt(right)
    await vi.waitFor(() => expect(all('alert', /nearly the same number/)).toEqual([]))
    await vi.waitFor(() => expect(isPainted()).toBe(true))
    passes(700)
    press('Enter', await link('501288'))
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toHaveLength(1))
  })

  it('is edited on the page of the case', async () => {
    near()
    await link('501288')
    await showFor('501288', 5_000)
    ;(await find('button', 'Edit', await find('alert', /nearly the same number/))).click()
    await vi.waitFor(() => expect(window.location.hash).toBe('#/queue/501288'))
  })
})

describe('what may be done with a case', () => {
  const offered = (rest: Parameters<typeof caseOf>[1], hasDraft = false) =>
    offerOf(detailsOf(caseOf('H-1', rest)), { isPatientAsked: false, hasDraft })

  it('is nothing while typed values are not saved', () => {
    expect(offered({}, true).kind).toBe('nothing')
    expect(offered({ state: 'collecting' }, true).kind).toBe('nothing')
    expect(offered({ state: 'collecting' }).kind).toBe('close')
  })

  it('takes a longer look if an approval settles something', () => {
    const reasons = [{ kind: 'looksLikeDuplicate', message: 'sent before?' }] as const
    expect(offered({})).toEqual({ kind: 'approve', isProposal: false })
    expect(offered({ reasons: [...reasons] })).toEqual({ kind: 'approve', isProposal: true })
  })
})
