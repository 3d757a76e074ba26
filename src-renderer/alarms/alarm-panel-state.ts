import { createStore } from 'zustand/vanilla'

/** Is the panel of alarms open? It lies over every screen, so that nothing moves when an alarm comes. */
export const alarmPanel = createStore<{ readonly isShown: boolean }>(() => ({ isShown: false }))
