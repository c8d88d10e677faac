/* An intrusive doubly linked list. A node that is on no list is linked to itself, so removing it twice is harmless. */
#ifndef KITH_SERVER_BASE_LIST_H
#define KITH_SERVER_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *prev, *next;
};

#define list_item(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* Visits the items of a list, each as x of that type. The body may remove or free x, and no other item. */
#define list_each(x, head, type, member)                                                                               \
	for (type *x = list_from((head)->next, head, offsetof(type, member)),                                          \
	          *x##_next = list_after(x, head, type, member);                                                       \
	     x; x = x##_next, x##_next = list_after(x, head, type, member))
/* The item after x; NULL: x is NULL or the last one. */
#define list_after(x, head, type, member) ((x) ? list_from((x)->member.next, head, offsetof(type, member)) : NULL)

static inline void *list_from(const struct list *node, const struct list *head, size_t offset)
{
	return node == head ? NULL : (char *)node - offset;
}
static inline void list_init(struct list *l)
{
	l->prev = l->next = l;
}
static inline bool list_empty(const struct list *l)
{
	return l->next == l;
}
static inline void list_append(struct list *head, struct list *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}
static inline void list_remove(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	list_init(node);
}
/* Moves the node from its list to the end of another one. */
static inline void list_move(struct list *head, struct list *node)
{
	list_remove(node);
	list_append(head, node);
}
/* Removes and returns the first node; NULL when the list is empty. */
static inline struct list *list_take(struct list *head)
{
	struct list *node = head->next;

	if (node == head)
		return NULL;
	list_remove(node);
	return node;
}

#endif
