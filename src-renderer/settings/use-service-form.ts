import { useRef, useState } from 'react'
import type { CallOutput } from '../../src-shared/contract.ts'
import type { ServiceSettings, ShownSettings } from '../../src-shared/settings.ts'
import { announce } from '../shell/announcements.ts'
import { runCall } from '../shell/run-call.ts'
import { useSession } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import {
  matchesSavedSecret,
  readServiceForm,
  serviceFormOf,
  type ServiceForm,
  type ServiceProblems,
} from './service-form.ts'

export type ServiceEditing = {
  readonly form: ServiceForm
  readonly problems: ServiceProblems
  /** A secret lies in the station already, for the address in the form. */
  readonly hasSavedSecret: boolean
  /** A secret lies in the station, but for another address than the one in the form. */
  readonly hasOtherSecret: boolean
  readonly isTesting: boolean
  /** The latest test of what stands in the form; null after each change, and where it changed during the test. */
  readonly tested: CallOutput<'service.test'> | null
  readonly write: (change: Partial<ServiceForm>) => void
  /** What the form stands for, or null after its problems were marked. */
  readonly read: () => ServiceSettings | null
  readonly test: () => Promise<void>
}

/** The service as it is being written, and tried before anything is saved. */
export function useServiceForm(service: ShownSettings['service']): ServiceEditing {
  const session = useSession()
  const [form, setForm] = useState<ServiceForm>(() => serviceFormOf(service))
  const [problems, setProblems] = useState<ServiceProblems>({})
  const [isTesting, setTesting] = useState(false)
  const [tested, setTested] = useState<CallOutput<'service.test'> | null>(null)
  const writes = useRef(0)
  const secretAddress = service?.hasClientSecret === true ? service.baseUrl : null

  const read = (): ServiceSettings | null => {
    const reading = readServiceForm(form, secretAddress)
    setProblems(reading.problems)
    return reading.service
  }
  const test = async (): Promise<void> => {
    const wanted = read()
    if (!wanted) return
    setTesting(true)
    const written = writes.current
    const result = await runCall(session, 'service.test', { service: wanted })
    setTesting(false)
    // What was tested stands in the form no more.
    if (written !== writes.current) return
    setTested(result)
    if (!result) return
    const steps = [result.reachable, result.signedIn, result.centersListed]
    announce(t('settings:test.finished', { passed: steps.filter(({ kind }) => kind === 'passed').length }))
  }
  return {
    form,
    problems,
    hasSavedSecret: matchesSavedSecret(form, secretAddress),
    hasOtherSecret: secretAddress !== null && !matchesSavedSecret(form, secretAddress),
    isTesting,
    tested,
    read,
    test,
    write(change) {
      writes.current += 1
      setForm((before) => ({ ...before, ...change }))
      setProblems({})
      setTested(null)
    },
  }
}
