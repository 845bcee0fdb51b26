import { acceptLink } from '#services/members/accept.ts';
import { findMemberLink, type MemberLink } from '#services/members/links.ts';
import { html } from '../../../pages/markup.ts';
import { field, form } from '../../parts.ts';
import type { ConsolePage, PageRequest, View } from '../../request.ts';
import { countForLink } from '../../session/attempts.ts';
import { placeOf } from '../../texts/members.ts';

/** The page of an invitation or of a reset. Opening it changes nothing, since previews of messages open links too. */
function linkView(request: PageRequest, link: MemberLink, fault?: string): View {
  const { text, language } = request;
  const { kind, email, role, organisation } = link;
  const isInvitation = kind === 'invitation';
  return {
    title: isInvitation
      ? text.signIn.link.invitation(placeOf(language, organisation))
      : text.signIn.link.reset,
    isFaulty: fault !== undefined,
    status: fault === undefined ? 200 : 422,
    body: html`
      <p>${isInvitation ? text.signIn.link.invitationText(email, text.members.roles[role].name.toLowerCase()) : text.signIn.link.resetText(email)}</p>
      ${form(
        request,
        `/link/${encodeURIComponent(request.params.token ?? '')}`,
        html`
          <input type="hidden" name="username" value=${email} autocomplete="username" />
          ${field({ name: 'password', label: text.signIn.link.password, hint: text.signIn.link.hint, fault, type: 'password', reveal: text.showPassword, autocomplete: 'new-password', required: true })}
          <button>${text.signIn.link.button}</button>
        `,
      )}
    `,
  };
}

const unknownView = ({ text: { signIn } }: PageRequest): View => ({
  title: signIn.link.unknown.title,
  body: html`<p>${signIn.link.unknown.text}</p>`,
  status: 404,
  refused: 'unknown_link',
  isFaulty: true,
});

export const linkPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/link/:token',
    for: 'anybody',
    async run(request) {
      const link = await findMemberLink(request.ctx, request.params.token ?? '');
      return link === undefined ? unknownView(request) : linkView(request, link);
    },
  },
  {
    method: 'POST',
    path: '/link/:token',
    for: 'anybody',
    async run(request) {
      const { ctx, params, device, language, text } = request;
      const token = params.token ?? '';
      if ((await findMemberLink(ctx, token)) === undefined) return unknownView(request);
      const full = await countForLink(request, token);
      if (full !== undefined) return full;
      const accepted = await acceptLink(ctx, token, {
        password: request.form.get('password') ?? '',
        language,
        device,
      });
      if ('token' in accepted) return { to: '/', session: accepted.token };
      const link = await findMemberLink(ctx, token);
      if (accepted.fault === 'link' || link === undefined) return unknownView(request);
      return linkView(request, link, text.signIn.link.faults[accepted.fault]);
    },
  },
];
