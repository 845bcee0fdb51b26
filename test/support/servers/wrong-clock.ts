/** The environment of a Node process on a machine whose time is wrong by these milliseconds. */
export function wrongClock(byMs: number): NodeJS.ProcessEnv {
  const code = `
    const RightDate = Date;
    globalThis.Date = class extends RightDate {
      constructor(...given) { given.length === 0 ? super(RightDate.now() + ${byMs}) : super(...given); }
      static now() { return RightDate.now() + ${byMs}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
