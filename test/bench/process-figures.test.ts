import { expect, it } from 'vitest'
import { cpuSecondsIn, cpuSecondsOf, megabytesIn, peakMegabytesOf } from './process-figures.ts'

const STAT =
  '3825 (a name) with (2 parts) S 1 3825 3825 0 -1 4194560 22084 0 17 0 318 42 0 0 20 0 11 0 1712 1094'
const STATUS = 'Name:\tnode\nVmPeak:\t 11000000 kB\nVmHWM:\t  171875 kB\nVmRSS:\t  125000 kB\n'

it('reads the processor time after a name that holds anything', () => {
  expect(cpuSecondsIn(STAT)).toBe(3.6)
})

it('reads the memory of a process, now and at its highest', () => {
  expect(megabytesIn(STATUS, 'VmRSS')).toBe(128)
  expect(megabytesIn(STATUS, 'VmHWM')).toBe(176)
  expect(() => megabytesIn('Name:\tnode\n', 'VmRSS')).toThrow('There is no VmRSS')
})

it.runIf(process.platform === 'linux')('reads them of this very process', async () => {
  expect(await cpuSecondsOf(process.pid)).toBeGreaterThan(0)
  expect(await peakMegabytesOf(process.pid)).toBeGreaterThan(10)
})
