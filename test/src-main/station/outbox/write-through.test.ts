import { describe, expect, it } from 'vitest'
import { newSubmission, openTestOutbox } from '../../../tools/outbox-with.ts'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

describe('who listens to the outbox', () => {
  it('is told once per commit, with every submission that it changed', () => {
    const test = openTestOutbox()
    const { outbox } = test
    const ids = outbox.write(() => {
      const made = [outbox.createSubmission(newSubmission()), outbox.createSubmission(newSubmission())]
      expect(test.told).toEqual([])
      return made
    })
    expect(test.told).toEqual([ids])
  })

  it('is told after the commit, and finds there what was written', () => {
    const folder = temporaryFolder()
    const seen: unknown[] = []
    const opened = openOutbox(folder, (ids) => {
      for (const id of ids) seen.push(opened.outbox.submissionOf(id)?.state)
      // A second commit from within: impossible while the first is still open.
      opened.outbox.writeFact('existing', 'told')
    })
    const id = opened.outbox.createSubmission(newSubmission())
    opened.outbox.moveSubmission(id, 'gatheredToSend', {}, { at: 1 })
    expect(seen).toEqual(['collecting', 'waiting'])
    opened.close()
  })

  it('hears nothing of what was undone, neither then nor with the next commit', () => {
    const test = openTestOutbox()
    const { outbox } = test
    let undone = ''
    expect(() =>
      outbox.write(() => {
        undone = outbox.createSubmission(newSubmission())
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(outbox.rowOf(undone)).toBeUndefined()
    expect(outbox.listAudit({ limit: 10 })).toEqual([])
    const id = outbox.createSubmission(newSubmission())
    expect(test.told).toEqual([[id]])
  })

  it('hears nothing where nothing of a submission has changed', () => {
    const test = openTestOutbox()
    test.outbox.write(() => test.outbox.writeFact('pause', 'untilResumed'))
    expect(test.told).toEqual([])
    expect(test.outbox.readFact('pause')).toBe('untilResumed')
    expect(test.outbox.readFact('lastSentAt')).toBeNull()
  })
})
