import { useEffect, useState } from 'react'
import { useSession } from '../store/use-station.ts'

export type ReportBytes =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly blob: Blob }
  | { readonly kind: 'unavailable' }

/** The bytes of a version. */
export function useReportBytes(id: string): ReportBytes {
  const session = useSession()
  const [bytes, setBytes] = useState<ReportBytes>({ kind: 'loading' })
  useEffect(() => {
    let isCurrent = true
    session.link.readBytes('report', id).then(
      (blob) => isCurrent && setBytes({ kind: 'ready', blob }),
      () => isCurrent && setBytes({ kind: 'unavailable' }),
    )
    return () => {
      isCurrent = false
    }
  }, [session, id])
  return bytes
}
