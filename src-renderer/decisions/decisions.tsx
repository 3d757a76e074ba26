/** Shows the question that is open. */
import { Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { restoreFocus } from '../components/browser.tsx'
import { lazyScreen } from '../shell/load-screen.ts'
import { type Question, questionStore } from './question.tsx'

const QuestionDialog = lazyScreen(async () => (await import('./question-dialog.tsx')).QuestionDialog)

export function QuestionHost() {
  const open = useStore(questionStore, (state) => state.open)
  // While a dialog fades out, it keeps its text.
  const [last, setLast] = useState<Question | null>(null)
  if (open && open.question !== last) setLast(open.question)
  const cameFrom = useRef<HTMLElement | null>(null)
  const isOpen = open !== null
  useEffect(() => {
    if (isOpen) cameFrom.current = focusReturnTarget(document.activeElement)
  }, [isOpen])
  if (!last) return null
  return (
    <Suspense fallback={null}>
      <QuestionDialog
        question={last}
        isOpen={isOpen}
        onGone={() => restoreFocus(cameFrom.current)}
        onAnswer={(answer) => questionStore.getState().open?.answer(answer)}
      />
    </Suspense>
  )
}

/** A menu item is gone by then; the button that opened the menu is not. */
function focusReturnTarget(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')
  const target = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return target instanceof HTMLElement && target !== document.body ? target : null
}
