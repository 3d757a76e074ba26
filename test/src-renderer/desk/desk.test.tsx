/** The desk in its window: what is approved is the case whose pictures were shown, by the list's keys. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { all, find, openWindow, press, shows } from '../open-window.tsx'
import { detailsOf, PROPOSED, syntheticImage } from '../synthetic-submission.ts'
import { caseOf, isPainted, link, passes, pressCtrlZ, showFor, startClock, withCases } from './open-desk.tsx'

beforeEach(startClock)

describe('the desk', () => {
  it('approves by Enter in the list what is shown, and goes on to the next', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2')]))
    await link('H-1')
    await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('H-1'))
    press('Enter')
    await showFor('H-1', 699)
    press('Enter')
    expect(inputsOf('submissions.approve')).toEqual([])
    passes(1)
    press('Enter')
    await vi.waitFor(() =>
      expect(inputsOf('submissions.approve')).toEqual([
        { ids: ['H-1'], seen: { 'H-1': 'digest of H-1' }, undoSeconds: 8 },
      ]),
    )
    await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('H-2'))
    // Nothing of the next case was seen yet.
    press('Enter')
    await showFor('H-2', 700)
    press('Enter')
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toHaveLength(2))
  })

  it('shows nothing of one case beside the pictures of another', async () => {
    openWindow('#/queue', withCases([caseOf('H-1'), caseOf('H-2')]))
    await link('H-1')
    await showFor('H-1', 700)
    const seen = new Set<string>()
    const watch = new MutationObserver(() => {
      const number = document.querySelector('[data-stale="false"] h2 bdi')?.textContent
      const picture = document.querySelector('figure[data-image]:not([hidden])')?.getAttribute('data-image')
      if (number !== undefined) seen.add(`${number} beside ${picture}`)
    })
    watch.observe(document.body, { childList: true, subtree: true, attributes: true })
    press('ArrowDown', await link('H-1'))
    await showFor('H-2', 0)
    watch.disconnect()
    expect([...seen]).toEqual(['H-2 beside H-2-od'])
  })

  it('has the row of the case that is shown when a person comes back, however far down', async () => {
    openWindow('#/queue', withCases(Array.from({ length: 30 }, (_none, at) => caseOf(`H-${at + 10}`))))
    ;(await link('H-38')).focus()
    await showFor('H-38', 0)
    window.location.hash = '#/help'
    window.dispatchEvent(new Event('hashchange'))
    await find('heading', 'Help')
    window.location.hash = '#/queue'
    window.dispatchEvent(new Event('hashchange'))
    await vi.waitFor(() => expect(document.activeElement?.closest('tr')?.dataset['id']).toBe('H-38'))
  })

  it('approves a proposal after a longer look', async () => {
    const proposal = caseOf('H-3', { verdict: { ...caseOf('H-3').verdict, who: PROPOSED.who } })
    const { inputsOf } = openWindow('#/queue', withCases([proposal]))
    await link('H-3')
    await showFor('H-3', 1_499)
    press('Enter', await link('H-3'))
    expect(inputsOf('submissions.approve')).toEqual([])
    passes(1)
    press('Enter', await link('H-3'))
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toMatchObject([{ undoSeconds: 30 }]))
  })

  it('names what has changed before Enter works again, and changes no selection by an arrival', async () => {
    let current = caseOf('H-1')
    const { inputsOf, emit } = openWindow('#/queue', {
      ...withCases([current]),
      'submissions.get': () => detailsOf(current),
    })
    await link('H-1')
    await showFor('H-1', 2_000)
    current = { ...current, fields: { history_number: 'H-1', age: 61 }, digest: 'other', changedAt: 2_000 }
    emit('submissionChanged', current)
    emit('submissionChanged', caseOf('H-0', { addedAt: 1 }))
    await shows('This case has changed. Check it again.Other details')
    press('Enter', await link('H-1'))
    expect(inputsOf('submissions.approve')).toEqual([])
    ;(await find('button', 'Continue')).click()
    await vi.waitFor(() => expect(all('button', 'Continue')).toEqual([]))
    await vi.waitFor(() => expect(isPainted()).toBe(true))
    passes(700)
    press('Enter', await link('H-1'))
    await vi.waitFor(() =>
      expect(inputsOf('submissions.approve')).toMatchObject([{ ids: ['H-1'], seen: { 'H-1': 'other' } }]),
    )
  })

  it('asks for an eye with its image alone, and gives it by one key', async () => {
    let current = caseOf('H-1', {
      state: 'incomplete',
      images: [syntheticImage('H-1-od', 'unknown'), syntheticImage('H-1-os', 'left')],
      reasons: [{ kind: 'eyeUnknown', message: 'eye?', imageId: 'H-1-od' }],
    })
    const { inputsOf } = openWindow('#/queue', {
      ...withCases([current]),
      'submissions.get': () => detailsOf(current),
      'submissions.update': ({ images }) => {
        current = { ...caseOf('H-1'), digest: JSON.stringify(images), changedAt: 2_000 }
        return detailsOf(current)
      },
    })
    await shows('Right or left?')
    expect(document.querySelector('[data-image="H-1-os"]')).toBeNull()
    const picture = document.querySelector('[data-image="H-1-od"] img')
    picture?.dispatchEvent(new Event('load'))
    await vi.waitFor(() => expect(isPainted()).toBe(true))
    passes(700)
    press('1', await link('H-1'))
    passes(60)
    await vi.waitFor(() =>
      expect(inputsOf('submissions.update')).toMatchObject([{ images: [{ id: 'H-1-od', eye: 'right' }] }]),
    )
    await showFor('H-1', 700)
    press('Enter', await link('H-1'))
    await vi.waitFor(() => expect(inputsOf('submissions.approve')).toHaveLength(1))
  })

  it('states in its case why an approval was refused, and stays', async () => {
    const refused = [{ id: 'H-1', failure: failureOf('changed') }]
    openWindow(
      '#/queue',
      withCases([caseOf('H-1'), caseOf('H-2')], { 'submissions.approve': { changed: [], refused } }),
    )
    await link('H-1')
    await showFor('H-1', 700)
    press('Enter', await link('H-1'))
    await shows('Changed meanwhile')
    expect(document.querySelector('tr[aria-current="true"]')?.textContent).toContain('H-1')
  })

  it.each([
    [
      'the button of its row',
      'H-1',
      () => find('button', /^Undo approval: H-1/).then((button) => button.click()),
    ],
    ['Ctrl+Z, the newest', 'H-2', async () => pressCtrlZ()],
  ] as const)('undoes an approval by %s, and says if it is too late', async (_by, id, act) => {
    const approved = { state: 'waiting', undoUntil: Date.now() + 8_000 } as const
    const refused = [{ id, failure: failureOf('notAllowed') }]
    const { inputsOf } = openWindow(
      '#/queue',
      withCases([caseOf('H-1', approved), caseOf('H-2', { ...approved, changedAt: 3_000 })], {
        'submissions.undoApproval': { changed: [], refused },
      }),
    )
    await link('H-2')
    await act()
    await vi.waitFor(() => expect(inputsOf('submissions.undoApproval')).toEqual([{ ids: [id] }]))
    await shows(failureOf('notAllowed').message)
    expect(document.querySelector('tr[aria-current="true"]')?.textContent).toContain(id)
  })

  it('swaps both eyes in one act, and approves what that has made of the case', async () => {
    let current = caseOf('H-1')
    const { inputsOf } = openWindow('#/queue', {
      ...withCases([current]),
      'submissions.get': () => detailsOf(current),
      'submissions.update': () => {
        const images = current.images.map((image) => ({
          ...image,
          eye: image.eye === 'right' ? ('left' as const) : ('right' as const),
        }))
        current = { ...current, images, digest: 'swapped', changedAt: 2_000 }
        return detailsOf(current)
      },
    })
    await link('H-1')
    await showFor('H-1', 700)
    ;(await find('button', 'Swap eyes')).click()
    await vi.waitFor(() =>
      expect(inputsOf('submissions.update')).toMatchObject([
        {
          images: [
            { id: 'H-1-od', eye: 'left' },
            { id: 'H-1-os', eye: 'right' },
          ],
        },
      ]),
    )
    await vi.waitFor(() =>
      expect(document.querySelector('figure[data-area="left"]')?.getAttribute('data-image')).toBe('H-1-od'),
    )
    await vi.waitFor(() => expect(isPainted()).toBe(true))
    passes(700)
    press('Enter', await link('H-1'))
    await vi.waitFor(() =>
      expect(inputsOf('submissions.approve')).toMatchObject([{ seen: { 'H-1': 'swapped' } }]),
    )
  })

  it('asks why an image is left out, and leaves it out', async () => {
    const { inputsOf } = openWindow('#/queue', {
      ...withCases([caseOf('H-1')]),
      'submissions.update': () => detailsOf(caseOf('H-1')),
    })
    await link('H-1')
    await showFor('H-1', 700)
    document.querySelector<HTMLElement>('[data-image="H-1-os"] button')?.focus()
    press('x')
    passes(60)
    ;(await find('button', 'Blurred')).click()
    await vi.waitFor(() =>
      expect(inputsOf('submissions.update')).toMatchObject([
        { images: [{ id: 'H-1-os', excludedBecause: 'Blurred' }] },
      ]),
    )
  })

  it('does nothing with a picture that cannot be shown', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([caseOf('H-1')]))
    await link('H-1')
    await vi.waitFor(() => expect(document.querySelectorAll('[data-image] img')).toHaveLength(2))
    for (const picture of document.querySelectorAll('[data-image] img'))
      picture.dispatchEvent(new Event('error'))
    await shows('Image cannot be shown')
    passes(5_000)
    press('Enter', await link('H-1'))
    expect(inputsOf('submissions.approve')).toEqual([])
    expect((await find('button', /^Approve$/)).getAttribute('aria-disabled')).toBe('true')
  })
})
