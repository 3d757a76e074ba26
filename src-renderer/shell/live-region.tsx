import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { announce, announcements, clearAnnouncements } from './announcements.ts'
import { useBanner } from './banner.tsx'
import { isBlocking } from './stops-the-line.ts'

/**
 * The one polite live region: what was told, and the banner whenever it becomes another. What stops the line breaks in
 * at once, and says nothing twice.
 */
export function LiveRegion() {
  const text = useStore(announcements, (state) => state.text)
  const { kind, title, body } = useBanner()
  const isUrgent = isBlocking(kind)
  const lastKind = useRef(kind)
  // It leaves when the screens are drawn anew in another language.
  useEffect(() => clearAnnouncements, [])
  useEffect(() => {
    if (lastKind.current === kind) return
    lastKind.current = kind
    if (!isUrgent) announce(`${title}. ${body}`)
  }, [kind, title, body, isUrgent])
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite" aria-atomic>
        {text}
      </VisuallyHidden>
      <VisuallyHidden role="alert" aria-live="assertive" aria-atomic>
        {isUrgent ? `${title}. ${body}` : ''}
      </VisuallyHidden>
    </>
  )
}
