import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { announce, announcements, hush } from './announcements.ts'
import { useBanner } from './banner.tsx'

/** The one polite live region: what was told, and the banner whenever it becomes another. */
export function LiveRegion() {
  const text = useStore(announcements, (state) => state.text)
  const { kind, title, body } = useBanner()
  const lastKind = useRef(kind)
  // It leaves when the screens are drawn anew in another language.
  useEffect(() => hush, [])
  useEffect(() => {
    if (lastKind.current === kind) return
    lastKind.current = kind
    announce(`${title}. ${body}`)
  }, [kind, title, body])
  return (
    <VisuallyHidden role="status" aria-live="polite" aria-atomic>
      {text}
    </VisuallyHidden>
  )
}
