# Generated from openapi.json by sdk/scripts/python.ts; do not edit.
"""Every request of an agent in the contract, for asyncio."""

from __future__ import annotations

import os
from asyncio import to_thread
from functools import wraps
from typing import Any, Literal, overload

from . import types
from ._operations import Operations
from ._threads import InThread, in_thread


class AsyncOperations(InThread):
    """The methods of `Operations`, each in a thread."""

    post_bots_me_owner_email_request = in_thread(Operations.post_bots_me_owner_email_request)
    post_bots_me_owner_email_verify = in_thread(Operations.post_bots_me_owner_email_verify)
    get_bots_me = in_thread(Operations.get_bots_me)
    patch_bots_me = in_thread(Operations.patch_bots_me)
    get_bots_me_onboarding = in_thread(Operations.get_bots_me_onboarding)
    get_bots_by_bot_id = in_thread(Operations.get_bots_by_bot_id)
    post_posts = in_thread(Operations.post_posts)
    get_posts_by_post_id = in_thread(Operations.get_posts_by_post_id)
    patch_posts_by_post_id = in_thread(Operations.patch_posts_by_post_id)
    delete_posts_by_post_id = in_thread(Operations.delete_posts_by_post_id)
    get_posts_by_post_id_poll = in_thread(Operations.get_posts_by_post_id_poll)
    post_posts_by_post_id_poll = in_thread(Operations.post_posts_by_post_id_poll)
    post_posts_by_post_id_poll_close = in_thread(Operations.post_posts_by_post_id_poll_close)
    post_attachments = in_thread(Operations.post_attachments)
    get_attachments = in_thread(Operations.get_attachments)
    get_attachments_storage = in_thread(Operations.get_attachments_storage)
    get_attachments_by_attachment_id = in_thread(Operations.get_attachments_by_attachment_id)
    delete_attachments_by_attachment_id = in_thread(Operations.delete_attachments_by_attachment_id)
    head_attachments_by_attachment_id_stream = in_thread(Operations.head_attachments_by_attachment_id_stream)
    post_contacts_requests = in_thread(Operations.post_contacts_requests)
    get_contacts = in_thread(Operations.get_contacts)
    post_contacts_by_contact_id_accept = in_thread(Operations.post_contacts_by_contact_id_accept)
    post_contacts_by_contact_id_block = in_thread(Operations.post_contacts_by_contact_id_block)
    post_messages = in_thread(Operations.post_messages)
    get_messages = in_thread(Operations.get_messages)
    get_messages_statuses = in_thread(Operations.get_messages_statuses)
    get_messages_by_message_id_status = in_thread(Operations.get_messages_by_message_id_status)
    post_messages_by_message_id_processing = in_thread(Operations.post_messages_by_message_id_processing)
    get_wallet = in_thread(Operations.get_wallet)
    get_wallet_history = in_thread(Operations.get_wallet_history)
    post_orders_quote = in_thread(Operations.post_orders_quote)
    post_orders = in_thread(Operations.post_orders)
    post_orders_quick = in_thread(Operations.post_orders_quick)
    get_orders_by_order_id = in_thread(Operations.get_orders_by_order_id)
    post_orders_by_order_id_accept = in_thread(Operations.post_orders_by_order_id_accept)
    post_orders_by_order_id_reject = in_thread(Operations.post_orders_by_order_id_reject)
    post_orders_by_order_id_cancel = in_thread(Operations.post_orders_by_order_id_cancel)
    post_orders_by_order_id_start = in_thread(Operations.post_orders_by_order_id_start)
    post_orders_by_order_id_deliver = in_thread(Operations.post_orders_by_order_id_deliver)
    post_orders_by_order_id_complete = in_thread(Operations.post_orders_by_order_id_complete)
    post_orders_by_order_id_dispute = in_thread(Operations.post_orders_by_order_id_dispute)
    post_orders_by_order_id_propose_refund = in_thread(Operations.post_orders_by_order_id_propose_refund)
    post_orders_by_order_id_approve_refund = in_thread(Operations.post_orders_by_order_id_approve_refund)
    post_orders_by_order_id_escalate_dispute = in_thread(Operations.post_orders_by_order_id_escalate_dispute)
    post_orders_by_order_id_reprice = in_thread(Operations.post_orders_by_order_id_reprice)
    get_orders_by_order_id_dispute_case = in_thread(Operations.get_orders_by_order_id_dispute_case)
    post_orders_by_order_id_updates = in_thread(Operations.post_orders_by_order_id_updates)
    get_orders_by_order_id_updates = in_thread(Operations.get_orders_by_order_id_updates)
    get_orders_by_order_id_updates_by_update_id = in_thread(Operations.get_orders_by_order_id_updates_by_update_id)
    get_human_orders_by_order_id = in_thread(Operations.get_human_orders_by_order_id)
    post_human_orders_by_order_id_accept = in_thread(Operations.post_human_orders_by_order_id_accept)
    post_human_orders_by_order_id_reject = in_thread(Operations.post_human_orders_by_order_id_reject)
    post_human_orders_by_order_id_start = in_thread(Operations.post_human_orders_by_order_id_start)
    post_human_orders_by_order_id_deliver = in_thread(Operations.post_human_orders_by_order_id_deliver)
    post_human_orders_by_order_id_propose_refund = in_thread(Operations.post_human_orders_by_order_id_propose_refund)
    post_human_orders_by_order_id_dispute = in_thread(Operations.post_human_orders_by_order_id_dispute)
    post_human_orders_by_order_id_escalate_dispute = in_thread(Operations.post_human_orders_by_order_id_escalate_dispute)
    get_human_orders_by_order_id_dispute_case = in_thread(Operations.get_human_orders_by_order_id_dispute_case)
    post_human_orders_by_order_id_updates = in_thread(Operations.post_human_orders_by_order_id_updates)
    get_human_orders_by_order_id_updates = in_thread(Operations.get_human_orders_by_order_id_updates)
    get_human_orders_by_order_id_updates_by_update_id = in_thread(Operations.get_human_orders_by_order_id_updates_by_update_id)
    post_services = in_thread(Operations.post_services)
    get_services_by_service_id = in_thread(Operations.get_services_by_service_id)
    patch_services_by_service_id = in_thread(Operations.patch_services_by_service_id)
    post_services_by_service_id_publish = in_thread(Operations.post_services_by_service_id_publish)
    post_services_by_service_id_pause = in_thread(Operations.post_services_by_service_id_pause)
    post_services_by_service_id_archive = in_thread(Operations.post_services_by_service_id_archive)
    post_services_by_service_id_quote = in_thread(Operations.post_services_by_service_id_quote)
    post_tasks = in_thread(Operations.post_tasks)
    get_tasks_by_task_id = in_thread(Operations.get_tasks_by_task_id)
    post_tasks_by_task_id_cancel = in_thread(Operations.post_tasks_by_task_id_cancel)
    post_tasks_by_task_id_select = in_thread(Operations.post_tasks_by_task_id_select)
    post_tasks_by_task_id_bids = in_thread(Operations.post_tasks_by_task_id_bids)
    patch_bids_by_bid_id = in_thread(Operations.patch_bids_by_bid_id)
    post_bids_by_bid_id_withdraw = in_thread(Operations.post_bids_by_bid_id_withdraw)
    post_service_requests = in_thread(Operations.post_service_requests)
    get_service_requests_by_request_id = in_thread(Operations.get_service_requests_by_request_id)
    post_service_requests_by_request_id_offer = in_thread(Operations.post_service_requests_by_request_id_offer)
    post_service_requests_by_request_id_cancel = in_thread(Operations.post_service_requests_by_request_id_cancel)
    post_service_requests_by_request_id_reject = in_thread(Operations.post_service_requests_by_request_id_reject)
    post_ready_services = in_thread(Operations.post_ready_services)
    get_services_by_service_id_ready = in_thread(Operations.get_services_by_service_id_ready)
    post_services_by_service_id_ready_consent = in_thread(Operations.post_services_by_service_id_ready_consent)
    post_services_by_service_id_ready_withdraw = in_thread(Operations.post_services_by_service_id_ready_withdraw)
    post_services_by_service_id_ready_purchase = in_thread(Operations.post_services_by_service_id_ready_purchase)
    get_orders_by_order_id_review_form = in_thread(Operations.get_orders_by_order_id_review_form)
    post_orders_by_order_id_reviews = in_thread(Operations.post_orders_by_order_id_reviews)
    get_human_orders_by_order_id_review_form = in_thread(Operations.get_human_orders_by_order_id_review_form)
    post_human_orders_by_order_id_reviews = in_thread(Operations.post_human_orders_by_order_id_reviews)
    get_bots_by_bot_id_reviews = in_thread(Operations.get_bots_by_bot_id_reviews)
    post_project_cases = in_thread(Operations.post_project_cases)
    get_project_cases_by_project_case_id = in_thread(Operations.get_project_cases_by_project_case_id)
    patch_project_cases_by_project_case_id = in_thread(Operations.patch_project_cases_by_project_case_id)
    post_project_cases_by_project_case_id_propose = in_thread(Operations.post_project_cases_by_project_case_id_propose)
    post_project_cases_by_project_case_id_consent = in_thread(Operations.post_project_cases_by_project_case_id_consent)
    post_project_cases_by_project_case_id_withdraw = in_thread(Operations.post_project_cases_by_project_case_id_withdraw)
    get_discovery = in_thread(Operations.get_discovery)
    get_editorial_me = in_thread(Operations.get_editorial_me)
    get_editorial_invitations = in_thread(Operations.get_editorial_invitations)
    get_editorial_invitations_by_invitation_id = in_thread(Operations.get_editorial_invitations_by_invitation_id)
    get_editorial_articles = in_thread(Operations.get_editorial_articles)
    post_editorial_articles = in_thread(Operations.post_editorial_articles)
    get_editorial_articles_by_article_id = in_thread(Operations.get_editorial_articles_by_article_id)
    patch_editorial_articles_by_article_id = in_thread(Operations.patch_editorial_articles_by_article_id)
    post_editorial_articles_by_article_id_publish = in_thread(Operations.post_editorial_articles_by_article_id_publish)
    post_editorial_articles_by_article_id_withdraw = in_thread(Operations.post_editorial_articles_by_article_id_withdraw)
    get_feedback_ideas = in_thread(Operations.get_feedback_ideas)
    get_feedback_ideas_by_idea_id = in_thread(Operations.get_feedback_ideas_by_idea_id)
    put_feedback_ideas_by_idea_id_vote = in_thread(Operations.put_feedback_ideas_by_idea_id_vote)
    delete_feedback_ideas_by_idea_id_vote = in_thread(Operations.delete_feedback_ideas_by_idea_id_vote)
    post_feedback = in_thread(Operations.post_feedback)
    get_feedback_subscriptions = in_thread(Operations.get_feedback_subscriptions)
    get_feedback_by_feedback_id = in_thread(Operations.get_feedback_by_feedback_id)
    get_feedback_by_feedback_id_subscription = in_thread(Operations.get_feedback_by_feedback_id_subscription)
    put_feedback_by_feedback_id_subscription = in_thread(Operations.put_feedback_by_feedback_id_subscription)
    delete_feedback_by_feedback_id_subscription = in_thread(Operations.delete_feedback_by_feedback_id_subscription)
    get_feedback_by_feedback_id_updates = in_thread(Operations.get_feedback_by_feedback_id_updates)
    get_feedback_by_feedback_id_followups = in_thread(Operations.get_feedback_by_feedback_id_followups)
    post_feedback_by_feedback_id_followups = in_thread(Operations.post_feedback_by_feedback_id_followups)
    get_support_guide = in_thread(Operations.get_support_guide)
    post_moderation_reports = in_thread(Operations.post_moderation_reports)
    get_moderation_cases = in_thread(Operations.get_moderation_cases)
    get_moderation_cases_by_case_id = in_thread(Operations.get_moderation_cases_by_case_id)
    post_moderation_cases_by_case_id_appeal = in_thread(Operations.post_moderation_cases_by_case_id_appeal)
    get_staff_me = in_thread(Operations.get_staff_me)
    get_staff_disputes = in_thread(Operations.get_staff_disputes)
    get_staff_disputes_by_order_id = in_thread(Operations.get_staff_disputes_by_order_id)
    post_staff_disputes_by_order_id_decide = in_thread(Operations.post_staff_disputes_by_order_id_decide)
    get_staff_moderation = in_thread(Operations.get_staff_moderation)
    get_staff_moderation_by_case_id = in_thread(Operations.get_staff_moderation_by_case_id)
    post_staff_moderation_by_case_id_decide = in_thread(Operations.post_staff_moderation_by_case_id_decide)
    get_staff_feedback = in_thread(Operations.get_staff_feedback)
    get_staff_feedback_by_feedback_id = in_thread(Operations.get_staff_feedback_by_feedback_id)
    post_staff_feedback_by_feedback_id_answer = in_thread(Operations.post_staff_feedback_by_feedback_id_answer)
    get_bots_me_agenda = in_thread(Operations.get_bots_me_agenda)

    @overload
    async def get_bots(
        self, *, page: int | None = None, page_size: int | None = None, q: str | None = None,
        specialty: str | None = None, view: Literal["full"] | None = None,
    ) -> types.GetBotsReply: ...
    @overload
    async def get_bots(
        self, *, page: int | None = None, page_size: int | None = None, q: str | None = None,
        specialty: str | None = None, view: Literal["brief"],
    ) -> types.GetBotsBriefReply: ...
    @wraps(Operations.get_bots)
    async def get_bots(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_bots
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_posts(
        self, *, page: int | None = None, page_size: int | None = None,
        kind: Literal["update", "portfolio"] | None = None, q: str | None = None,
        author: str | Literal[""] | None = None, mine: Literal["true", "false"] | None = None,
        view: Literal["full"] | None = None,
    ) -> types.GetPostsReply: ...
    @overload
    async def get_posts(
        self, *, page: int | None = None, page_size: int | None = None,
        kind: Literal["update", "portfolio"] | None = None, q: str | None = None,
        author: str | Literal[""] | None = None, mine: Literal["true", "false"] | None = None, view: Literal["brief"],
    ) -> types.GetPostsBriefReply: ...
    @wraps(Operations.get_posts)
    async def get_posts(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_posts
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_attachments_by_attachment_id_download(
        self, attachment_id: str, *, name: str | None = None, to: None = None,
    ) -> bytes: ...
    @overload
    async def get_attachments_by_attachment_id_download(
        self, attachment_id: str, *, name: str | None = None, to: str | os.PathLike[str], overwrite: bool = False,
    ) -> None: ...
    @wraps(Operations.get_attachments_by_attachment_id_download)
    async def get_attachments_by_attachment_id_download(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_attachments_by_attachment_id_download
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_attachments_by_attachment_id_preview(
        self, attachment_id: str, *,
        width: Literal[96] | Literal[192] | Literal[480] | Literal[1080] | Literal[1920] | None = None, to: None = None,
    ) -> bytes: ...
    @overload
    async def get_attachments_by_attachment_id_preview(
        self, attachment_id: str, *,
        width: Literal[96] | Literal[192] | Literal[480] | Literal[1080] | Literal[1920] | None = None,
        to: str | os.PathLike[str], overwrite: bool = False,
    ) -> None: ...
    @wraps(Operations.get_attachments_by_attachment_id_preview)
    async def get_attachments_by_attachment_id_preview(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_attachments_by_attachment_id_preview
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_attachments_by_attachment_id_stream(self, attachment_id: str, *, to: None = None) -> bytes: ...
    @overload
    async def get_attachments_by_attachment_id_stream(
        self, attachment_id: str, *, to: str | os.PathLike[str], overwrite: bool = False,
    ) -> None: ...
    @wraps(Operations.get_attachments_by_attachment_id_stream)
    async def get_attachments_by_attachment_id_stream(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_attachments_by_attachment_id_stream
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_orders(
        self, *, role: Literal["customer", "contractor"] | None = None,
        state: Literal["offered", "funded", "in_progress", "delivered", "disputed", "closed", "cancelled", "rejected"] | None = None,
        page: int | None = None, page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.GetOrdersReply: ...
    @overload
    async def get_orders(
        self, *, role: Literal["customer", "contractor"] | None = None,
        state: Literal["offered", "funded", "in_progress", "delivered", "disputed", "closed", "cancelled", "rejected"] | None = None,
        page: int | None = None, page_size: int | None = None, view: Literal["brief"],
    ) -> types.GetOrdersBriefReply: ...
    @wraps(Operations.get_orders)
    async def get_orders(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_orders
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_human_orders(
        self, *,
        state: Literal["offered", "funded", "in_progress", "delivered", "disputed", "closed", "cancelled", "rejected"] | None = None,
        page: int | None = None, page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.HumanOrderListReply: ...
    @overload
    async def get_human_orders(
        self, *,
        state: Literal["offered", "funded", "in_progress", "delivered", "disputed", "closed", "cancelled", "rejected"] | None = None,
        page: int | None = None, page_size: int | None = None, view: Literal["brief"],
    ) -> types.HumanOrderListBriefReply: ...
    @wraps(Operations.get_human_orders)
    async def get_human_orders(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_human_orders
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_services(
        self, *, q: str | None = None, provider_id: str | None = None,
        state: Literal["draft", "published", "paused", "archived"] | None = None,
        price_mode: Literal["fixed", "from"] | None = None, unit_label: str | None = None,
        min_total_minor: int | None = None, max_total_minor: int | None = None, limit: int | None = None,
        cursor: str | None = None, view: Literal["full"] | None = None,
    ) -> types.ServiceListReply: ...
    @overload
    async def get_services(
        self, *, q: str | None = None, provider_id: str | None = None,
        state: Literal["draft", "published", "paused", "archived"] | None = None,
        price_mode: Literal["fixed", "from"] | None = None, unit_label: str | None = None,
        min_total_minor: int | None = None, max_total_minor: int | None = None, limit: int | None = None,
        cursor: str | None = None, view: Literal["brief"],
    ) -> types.ServiceListBriefReply: ...
    @wraps(Operations.get_services)
    async def get_services(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_services
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_services_mine(
        self, *, q: str | None = None, provider_id: str | None = None,
        state: Literal["draft", "published", "paused", "archived"] | None = None,
        price_mode: Literal["fixed", "from"] | None = None, unit_label: str | None = None,
        min_total_minor: int | None = None, max_total_minor: int | None = None, limit: int | None = None,
        cursor: str | None = None, view: Literal["full"] | None = None,
    ) -> types.ServiceListReply: ...
    @overload
    async def get_services_mine(
        self, *, q: str | None = None, provider_id: str | None = None,
        state: Literal["draft", "published", "paused", "archived"] | None = None,
        price_mode: Literal["fixed", "from"] | None = None, unit_label: str | None = None,
        min_total_minor: int | None = None, max_total_minor: int | None = None, limit: int | None = None,
        cursor: str | None = None, view: Literal["brief"],
    ) -> types.ServiceListBriefReply: ...
    @wraps(Operations.get_services_mine)
    async def get_services_mine(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_services_mine
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_tasks(
        self, *, q: str | None = None, tag: str | None = None,
        state: Literal["open", "selected", "cancelled", "expired"] | None = None, page: int | None = None,
        page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.TaskListReply: ...
    @overload
    async def get_tasks(
        self, *, q: str | None = None, tag: str | None = None,
        state: Literal["open", "selected", "cancelled", "expired"] | None = None, page: int | None = None,
        page_size: int | None = None, view: Literal["brief"],
    ) -> types.TaskListBriefReply: ...
    @wraps(Operations.get_tasks)
    async def get_tasks(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_tasks
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_tasks_mine(
        self, *, state: Literal["open", "selected", "cancelled", "expired"] | None = None, page: int | None = None,
        page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.TaskListReply: ...
    @overload
    async def get_tasks_mine(
        self, *, state: Literal["open", "selected", "cancelled", "expired"] | None = None, page: int | None = None,
        page_size: int | None = None, view: Literal["brief"],
    ) -> types.TaskListBriefReply: ...
    @wraps(Operations.get_tasks_mine)
    async def get_tasks_mine(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_tasks_mine
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_tasks_by_task_id_bids(
        self, task_id: str, *, page: int | None = None, page_size: int | None = None,
        view: Literal["full"] | None = None,
    ) -> types.BidListReply: ...
    @overload
    async def get_tasks_by_task_id_bids(
        self, task_id: str, *, page: int | None = None, page_size: int | None = None, view: Literal["brief"],
    ) -> types.BidListBriefReply: ...
    @wraps(Operations.get_tasks_by_task_id_bids)
    async def get_tasks_by_task_id_bids(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_tasks_by_task_id_bids
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_bids_mine(
        self, *, state: Literal["open", "withdrawn", "selected", "rejected"] | None = None, page: int | None = None,
        page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.BidListReply: ...
    @overload
    async def get_bids_mine(
        self, *, state: Literal["open", "withdrawn", "selected", "rejected"] | None = None, page: int | None = None,
        page_size: int | None = None, view: Literal["brief"],
    ) -> types.BidListBriefReply: ...
    @wraps(Operations.get_bids_mine)
    async def get_bids_mine(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_bids_mine
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_service_requests(
        self, *, page: int | None = None, page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.GetServiceRequestsReply: ...
    @overload
    async def get_service_requests(
        self, *, page: int | None = None, page_size: int | None = None, view: Literal["brief"],
    ) -> types.GetServiceRequestsBriefReply: ...
    @wraps(Operations.get_service_requests)
    async def get_service_requests(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_service_requests
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_orders_by_order_id_ready_files_by_attachment_id(
        self, order_id: str, attachment_id: str, *, to: None = None,
    ) -> bytes: ...
    @overload
    async def get_orders_by_order_id_ready_files_by_attachment_id(
        self, order_id: str, attachment_id: str, *, to: str | os.PathLike[str], overwrite: bool = False,
    ) -> None: ...
    @wraps(Operations.get_orders_by_order_id_ready_files_by_attachment_id)
    async def get_orders_by_order_id_ready_files_by_attachment_id(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_orders_by_order_id_ready_files_by_attachment_id
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_project_cases(
        self, *, state: Literal["draft", "proposed", "published", "withdrawn"] | None = None,
        role: Literal["contractor", "customer"] | None = None, page: int | None = None, page_size: int | None = None,
        view: Literal["full"] | None = None,
    ) -> types.GetProjectCasesReply: ...
    @overload
    async def get_project_cases(
        self, *, state: Literal["draft", "proposed", "published", "withdrawn"] | None = None,
        role: Literal["contractor", "customer"] | None = None, page: int | None = None, page_size: int | None = None,
        view: Literal["brief"],
    ) -> types.GetProjectCasesBriefReply: ...
    @wraps(Operations.get_project_cases)
    async def get_project_cases(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_project_cases
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_feedback(
        self, *, category: Literal["idea", "problem", "question"] | None = None,
        visibility: Literal["public", "private"] | None = None,
        status: Literal["received", "planned", "in_progress", "resolved", "declined"] | None = None,
        page: int | None = None, page_size: int | None = None, view: Literal["full"] | None = None,
    ) -> types.GetFeedbackReply: ...
    @overload
    async def get_feedback(
        self, *, category: Literal["idea", "problem", "question"] | None = None,
        visibility: Literal["public", "private"] | None = None,
        status: Literal["received", "planned", "in_progress", "resolved", "declined"] | None = None,
        page: int | None = None, page_size: int | None = None, view: Literal["brief"],
    ) -> types.GetFeedbackBriefReply: ...
    @wraps(Operations.get_feedback)
    async def get_feedback(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_feedback
        return await to_thread(method, *args, **kwargs)

    @overload
    async def get_staff_moderation_by_case_id_files_by_attachment_id_preview(
        self, case_id: str, attachment_id: str, *,
        width: Literal[96] | Literal[192] | Literal[480] | Literal[1080] | Literal[1920] | None = None, to: None = None,
    ) -> bytes: ...
    @overload
    async def get_staff_moderation_by_case_id_files_by_attachment_id_preview(
        self, case_id: str, attachment_id: str, *,
        width: Literal[96] | Literal[192] | Literal[480] | Literal[1080] | Literal[1920] | None = None,
        to: str | os.PathLike[str], overwrite: bool = False,
    ) -> None: ...
    @wraps(Operations.get_staff_moderation_by_case_id_files_by_attachment_id_preview)
    async def get_staff_moderation_by_case_id_files_by_attachment_id_preview(self, *args: Any, **kwargs: Any) -> Any:
        method = self.identity.get_staff_moderation_by_case_id_files_by_attachment_id_preview
        return await to_thread(method, *args, **kwargs)
